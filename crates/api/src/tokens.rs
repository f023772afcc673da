//! Bearer tokens and whose they are. A line `name:token` each; what is kept in memory is their hashes.

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
    /// A hash and the place of its owner.
    known: Vec<([u8; 32], usize)>,
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
            tokens.known.push((hash, owner));
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

    /// The place of a token's owner. It takes as long for each token, known or not.
    pub(crate) fn owner_of(&self, token: &str) -> Option<usize> {
        let hash = hash(token);
        let mut found = None;
        for (known, owner) in &self.known {
            let differs = known.iter().zip(&hash).fold(0, |differs, (one, other)| differs | (one ^ other));
            if std::hint::black_box(differs) == 0 {
                found = Some(*owner);
            }
        }
        found
    }
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
        assert_eq!(tokens.owner_of("0123456789abcdef"), Some(0));
        assert_eq!(tokens.owner_of("fedcba9876543210"), Some(1));
        for token in ["", "0123456789abcde", "0123456789abcdeF", "anna:0123456789abcdef"] {
            assert_eq!(tokens.owner_of(token), None, "{token}");
        }
        assert!(!format!("{tokens:?}").contains("0123"));
    }

    #[test]
    fn a_missing_file_gets_a_token_that_is_said_once() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("new/tokens");
        let (tokens, made) = Tokens::in_file(&path).unwrap();
        let made = made.unwrap();
        assert_eq!(tokens.owner_of(&made), Some(0));
        let (again, none) = Tokens::in_file(&path).unwrap();
        assert_eq!((again.owner_of(&made), none), (Some(0), None));
    }
}
