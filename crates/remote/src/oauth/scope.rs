//! Which scopes are asked for (2026-07-28, basic/authorization, "Scope Selection Strategy" and "Step-Up Authorization
//! Flow").

use super::OauthError;

/// The most bytes of all scopes together: they travel in an address.
const MAX_BYTES: usize = 4096;

/// What lets an authorization server give a refresh token (OpenID Connect Core, section 11).
const OFFLINE: &str = "offline_access";

/// The scopes of a text that are spelled as RFC 6749, section 3.3 has them.
fn words(scope: &str) -> impl Iterator<Item = &str> {
    let is_plain =
        |word: &&str| word.bytes().all(|byte| byte.is_ascii_graphic() && !matches!(byte, b'"' | b'\\'));
    scope.split_ascii_whitespace().filter(is_plain)
}

/// True when every scope of `part` is in `whole`.
pub(super) fn covers(whole: &str, part: &str) -> bool {
    words(part).all(|wanted| words(whole).any(|word| word == wanted))
}

/// The scopes to ask for, separated by spaces; empty to leave the choice to the authorization server.
///
/// What the refused request needs goes first, else what the resource lists, and what was asked for before stays with it:
/// a server names only what the request at hand needs. `offline_access` is added where the authorization server lists
/// it, but never alone, for that would ask for nothing else.
pub(super) fn choose(
    challenged: Option<&str>,
    listed: &str,
    before: &str,
    server_lists: &[&str],
) -> Result<String, OauthError> {
    let base = challenged.unwrap_or(listed);
    let mut chosen: Vec<&str> = Vec::new();
    for word in words(base).chain(words(before).filter(|&word| word != OFFLINE)) {
        if !chosen.contains(&word) {
            chosen.push(word);
        }
        if chosen.iter().map(|word| word.len() + 1).sum::<usize>() > MAX_BYTES {
            return Err(OauthError::unusable("The server asks for more scopes than a sign-in can carry"));
        }
    }
    if !chosen.is_empty() && server_lists.contains(&OFFLINE) && !chosen.contains(&OFFLINE) {
        chosen.push(OFFLINE);
    }
    Ok(chosen.join(" "))
}

/// True when a refresh token is asked for, which wants the person's consent anew.
pub(super) fn is_offline(scope: &str) -> bool {
    covers(scope, OFFLINE)
}

#[cfg(test)]
mod tests {
    use super::{choose, covers};

    #[test]
    fn scopes_are_chosen() {
        type Row<'a> = (Option<&'a str>, &'a str, &'a str, &'a [&'a str], &'a str);
        let rows: &[Row] = &[
            (Some("a b"), "c", "", &[], "a b"),
            (None, "c d", "", &[], "c d"),
            (None, "", "", &["offline_access"], ""),
            (Some("a"), "", "", &["x", "offline_access"], "a offline_access"),
            (Some("a offline_access"), "", "", &[], "a offline_access"),
            (Some("b"), "", "a", &[], "b a"),
            (Some("b a"), "", "a b", &[], "b a"),
            (None, "", "a offline_access", &[], "a"),
            (None, "", "a offline_access", &["offline_access"], "a offline_access"),
            (Some("a \u{7f} \"x ü b"), "", "", &[], "a b"),
        ];
        for (challenged, listed, before, server_lists, expected) in rows {
            let chosen = choose(*challenged, listed, before, server_lists);
            assert_eq!(chosen.as_deref(), Ok(*expected), "{challenged:?} {listed:?} {before:?}");
        }
        let endless: String = (0..2000).map(|n| format!("scope{n} ")).collect();
        assert!(choose(None, &endless, "", &[]).is_err());
    }

    #[test]
    fn a_scope_covers_its_parts() {
        let rows = [
            ("a b", "b a", true),
            ("a b", "", true),
            ("a", "a b", false),
            ("ab", "a", false),
            ("", "a", false),
        ];
        for (whole, part, expected) in rows {
            assert_eq!(covers(whole, part), expected, "{whole:?} {part:?}");
        }
    }
}
