//! Bearer tokens, whose they are and what they may do. A line `name:token` each, with what limits it behind; what is kept in memory is
//! their hashes.

use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

/// The owner of a token that stands without a name.
const NOBODY_ELSE: &str = "me";

/// The fewest characters of a token: what can be guessed is none.
const SHORTEST: usize = 16;

/// The names of files beside the owners' folders, which no owner can have.
const TAKEN: &[&str] = &["tokens"];

/// The most of a name, which is the name of a folder.
const LONGEST_NAME: usize = 64;

/// In front of what a token may do, in its line.
const SCOPES: &str = "scopes=";

/// In front of how many messages a minute it may send.
const RATE: &str = "rate=";

/// What a token may be for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// Listing and reading sessions and their events.
    SessionsRead,
    /// Making and deleting sessions.
    SessionsWrite,
    /// Sending messages, trying them again, answering questions.
    MessagesWrite,
}

impl Scope {
    /// All there are.
    pub const ALL: [Self; 3] = [Self::SessionsRead, Self::SessionsWrite, Self::MessagesWrite];

    /// What it is called in a line and in a refusal.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::SessionsRead => "sessions:read",
            Self::SessionsWrite => "sessions:write",
            Self::MessagesWrite => "messages:write",
        }
    }
}

/// Who calls, by their token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Caller {
    /// The place of the owner.
    pub owner: usize,
    /// The place of the token.
    pub token: usize,
    pub scopes: Vec<Scope>,
    /// Messages a minute of this token, where it has fewer than its owner.
    pub rate: Option<u32>,
}

/// Why there are no tokens to go by.
#[derive(Debug, thiserror::Error)]
pub enum TokenError {
    /// A line is no `name:token`. It is named by its place: what stands in it is secret.
    #[error("line {line} of the tokens {what}")]
    Line {
        /// Which line, from 1.
        line: usize,
        /// What is wrong with it.
        what: &'static str,
    },
    /// There is none.
    #[error(
        "there is no token: write a line like `name:token`, with at least {SHORTEST} characters of a token"
    )]
    Empty,
    /// The file cannot be read or written.
    #[error("{path}: {error}")]
    File {
        /// The file.
        path: PathBuf,
        /// The system's error.
        error: io::Error,
    },
}

/// The tokens that are known.
pub struct Tokens {
    /// The names, each once, in the order of the lines.
    owners: Vec<String>,
    /// A hash and what it is good for.
    known: Vec<([u8; 32], Caller)>,
}

impl std::fmt::Debug for Tokens {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Tokens").field("owners", &self.owners).finish_non_exhaustive()
    }
}

impl Tokens {
    /// The tokens of a text: a line each, `name:token`, or a token alone, which is `me`'s. Empty lines and those that begin with
    /// `#` are passed over. A name has 1 to 64 of `[a-z0-9_-]`, since it names a folder. Several tokens may have one name: they
    /// share what is kept.
    ///
    /// Behind a token may stand, with spaces between, `scopes=` and some of [`Scope`]'s names with commas between (all, where it does not
    /// stand there), and `rate=` and the most messages a minute (the owner's rate holds all the same).
    ///
    /// # Errors
    /// [`TokenError::Line`], [`TokenError::Empty`].
    pub fn read(text: &str) -> Result<Self, TokenError> {
        let mut tokens = Self { owners: Vec::new(), known: Vec::new() };
        for (line, said) in text.lines().enumerate() {
            let said = said.trim();
            if said.is_empty() || said.starts_with('#') {
                continue;
            }
            let wrong = |what| TokenError::Line { line: line + 1, what };
            let (said, limits) = split(said);
            let (scopes, rate) = read_limits(limits).map_err(wrong)?;
            let (name, token) = said.split_once(':').unwrap_or((NOBODY_ELSE, said));
            let (name, token) = (name.trim(), token.trim());
            let is_ours =
                |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || b"_-".contains(&byte);
            if name.is_empty() || name.len() > LONGEST_NAME || !name.bytes().all(is_ours) {
                return Err(wrong("has no name of 1 to 64 of a-z, 0-9, _ and -"));
            }
            if TAKEN.contains(&name) {
                return Err(wrong("has a name that is not an owner's but a file's: take another one"));
            }
            if token.len() < SHORTEST || !token.bytes().all(|byte| byte.is_ascii_graphic()) {
                return Err(wrong("has a token that is too short, or not of printable ASCII without spaces"));
            }
            let hash = hash(token);
            if tokens.known.iter().any(|(known, _)| *known == hash) {
                return Err(wrong("has a token that stands there twice"));
            }
            let owner = tokens.owners.iter().position(|owner| owner == name).unwrap_or_else(|| {
                tokens.owners.push(name.to_owned());
                tokens.owners.len() - 1
            });
            let token = tokens.known.len();
            tokens.known.push((hash, Caller { owner, token, scopes, rate }));
        }
        if tokens.known.is_empty() { Err(TokenError::Empty) } else { Ok(tokens) }
    }

    /// The tokens of a file. Where it is missing a new token is made and written there, on Unix for its owner alone; it is given
    /// once, to be shown, and stands in the file only.
    ///
    /// # Errors
    /// Each [`TokenError`].
    pub fn in_file(path: &Path) -> Result<(Self, Option<String>), TokenError> {
        let failed = |error| TokenError::File { path: path.to_owned(), error };
        match fs::read_to_string(path) {
            Ok(text) => Ok((Self::read(&text)?, None)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                let token = format!("{}{}", local::random(), local::random());
                let line = format!("{NOBODY_ELSE}:{token}\n");
                if let Some(folder) = path.parent() {
                    fs::create_dir_all(folder).map_err(failed)?;
                }
                write_private(path, &line).map_err(failed)?;
                Ok((Self::read(&line)?, Some(token)))
            }
            Err(error) => Err(failed(error)),
        }
    }

    /// Whose they are, each name once.
    #[must_use]
    pub fn owners(&self) -> &[String] {
        &self.owners
    }

    /// Who calls with a token. It takes as long for each token, known or not.
    pub(crate) fn caller(&self, token: &str) -> Option<Caller> {
        let hash = hash(token);
        let mut found = None;
        for (known, caller) in &self.known {
            let differs = known.iter().zip(&hash).fold(0, |differs, (one, other)| differs | (one ^ other));
            if std::hint::black_box(differs) == 0 {
                found = Some(caller);
            }
        }
        found.cloned()
    }
}

/// A line without what limits its token, and that.
fn split(line: &str) -> (&str, &str) {
    let start =
        |word: &str| line.match_indices(word).map(|(at, _)| at).find(|at| line[..*at].ends_with([' ', '\t']));
    match [SCOPES, RATE].into_iter().filter_map(start).min() {
        Some(at) => (line[..at].trim_end(), &line[at..]),
        None => (line, ""),
    }
}

fn read_limits(limits: &str) -> Result<(Vec<Scope>, Option<u32>), &'static str> {
    let (mut scopes, mut rate) = (Scope::ALL.to_vec(), None);
    for word in limits.split_whitespace() {
        if let Some(names) = word.strip_prefix(SCOPES) {
            let scope = |name: &str| Scope::ALL.into_iter().find(|scope| scope.name() == name);
            scopes = names.split(',').map(scope).collect::<Option<_>>().ok_or(
                "has a scope that is none: there are sessions:read, sessions:write and messages:write",
            )?;
        } else if let Some(count) = word.strip_prefix(RATE) {
            let count = count.parse().ok().filter(|count| *count > 0);
            rate = Some(count.ok_or("has a rate that is no number of messages a minute, from 1")?);
        } else {
            return Err("has something behind its token that is neither `scopes=…` nor `rate=…`");
        }
    }
    Ok((scopes, rate))
}

fn hash(token: &str) -> [u8; 32] {
    Sha256::digest(token.as_bytes()).into()
}

fn write_private(path: &Path, text: &str) -> io::Result<()> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    // Only this user may read it, before anything is in it. Elsewhere the folder's own rules hold.
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let mut file = options.open(path)?;
    file.write_all(text.as_bytes())?;
    file.sync_all()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn owner_of(tokens: &Tokens, token: &str) -> Option<usize> {
        tokens.caller(token).map(|caller| caller.owner)
    }

    #[test]
    fn what_a_token_may_stands_behind_it() {
        let token = "0123456789abcdef";
        let all = Scope::ALL.to_vec();
        for (line, expected) in [
            (format!("anna:{token}"), Ok((all.clone(), None))),
            // As it always was: a token with colons, and one alone.
            (format!("anna:x:read:{token}"), Ok((all.clone(), None))),
            (format!("{token} rate=5"), Ok((all.clone(), Some(5)))),
            (format!("anna:{token}\tscopes=sessions:read"), Ok((vec![Scope::SessionsRead], None))),
            (
                format!("anna:{token} rate=60 scopes=sessions:read,messages:write"),
                Ok((vec![Scope::SessionsRead, Scope::MessagesWrite], Some(60))),
            ),
            (format!("anna:{token} scopes="), Err("has a scope that is none")),
            (format!("anna:{token} scopes=all"), Err("has a scope that is none")),
            (format!("anna:{token} rate=0"), Err("has a rate that is no number")),
            (format!("anna:{token} rate=5 more"), Err("has something behind its token")),
            // No word of ours: as before, a token has no spaces.
            (format!("anna:{token} more"), Err("without spaces")),
        ] {
            match (Tokens::read(&line), expected) {
                (Ok(tokens), Ok((scopes, rate))) => {
                    let (_, caller) = tokens.known.first().unwrap();
                    assert_eq!((&caller.scopes, caller.rate), (&scopes, rate), "{line}");
                }
                (Err(error), Err(words)) => {
                    let error = error.to_string();
                    assert!(error.contains(words) && !error.contains(token), "{error}");
                }
                (read, expected) => panic!("{line}: {read:?}, not {expected:?}"),
            }
        }
    }

    #[test]
    fn tokens_by_rows() {
        let token = "0123456789abcdef";
        for (text, owners) in [
            (token.to_owned(), Ok(vec!["me"])),
            (format!("anna:{token}\n# not this\n\n bert : x{token}"), Ok(vec!["anna", "bert"])),
            (format!("anna:{token}\nanna:y{token}"), Ok(vec!["anna"])),
            (String::new(), Err("there is no token")),
            ("anna:short".to_owned(), Err("line 1 of the tokens has a token that is too short")),
            (format!("../x:{token}"), Err("has no name")),
            // Their folder would be the file of the tokens.
            (format!("tokens:{token}"), Err("line 1 of the tokens has a name that is not an owner's")),
            (format!(":{token}"), Err("has no name")),
            (format!("anna:{token}\nbert:{token}"), Err("line 2 of the tokens has a token that stands")),
        ] {
            match (Tokens::read(&text), owners) {
                (Ok(tokens), Ok(owners)) => assert_eq!(tokens.owners(), owners),
                (Err(error), Err(words)) => {
                    let error = error.to_string();
                    assert!(error.contains(words) && !error.contains(token), "{error}");
                }
                (read, expected) => panic!("{text}: {read:?}, not {expected:?}"),
            }
        }
    }

    #[test]
    fn a_token_has_its_owner_and_no_other_has() {
        let tokens = Tokens::read("anna:0123456789abcdef\nbert:fedcba9876543210").unwrap();
        assert_eq!(owner_of(&tokens, "0123456789abcdef"), Some(0));
        assert_eq!(owner_of(&tokens, "fedcba9876543210"), Some(1));
        for token in ["", "0123456789abcde", "0123456789abcdeF", "anna:0123456789abcdef"] {
            assert_eq!(owner_of(&tokens, token), None, "{token}");
        }
        assert!(!format!("{tokens:?}").contains("0123"));
    }

    #[test]
    fn a_missing_file_gets_a_token_that_is_said_once() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("new/tokens");
        let (tokens, made) = Tokens::in_file(&path).unwrap();
        let made = made.unwrap();
        assert_eq!(owner_of(&tokens, &made), Some(0));
        let (again, none) = Tokens::in_file(&path).unwrap();
        assert_eq!((owner_of(&again, &made), none), (Some(0), None));
    }
}
