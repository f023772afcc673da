//! The names of a server's tools beside those of others: `prefix__tool`, as every model's wire format takes them
//! (1 to 64 of `[A-Za-z0-9_-]`).

use sha2::{Digest, Sha256};

/// Between the server's prefix and the tool's own name. No tool of the app's own has it.
const BETWEEN: &str = "__";

/// The longest name that every model takes, in bytes.
const LONGEST: usize = 64;

/// The longest prefix, in bytes.
const LONGEST_PREFIX: usize = 20;

/// A prefix made of a server's name or host: lower case, digits, single underscores between.
#[must_use]
pub fn prefix_of(name: &str) -> String {
    let mut prefix = String::new();
    for symbol in name.chars() {
        if symbol.is_ascii_alphanumeric() {
            prefix.push(symbol.to_ascii_lowercase());
        } else if !prefix.is_empty() && !prefix.ends_with('_') {
            prefix.push('_');
        }
    }
    prefix.truncate(LONGEST_PREFIX);
    let prefix = prefix.trim_end_matches('_');
    if prefix.is_empty() { "server".to_owned() } else { prefix.to_owned() }
}

/// The same prefix where it is free, else with the first number behind it that makes it so.
#[must_use]
pub fn free_prefix(wanted: &str, is_taken: impl Fn(&str) -> bool) -> String {
    let numbered = (2..).map(|number| format!("{wanted}{number}"));
    std::iter::once(wanted.to_owned()).chain(numbered).find(|prefix| !is_taken(prefix)).unwrap_or_default()
}

/// The name a model calls a tool by. A name that had to be changed or cut ends in a part of its hash: two tools never
/// share one.
#[must_use]
pub fn joined(prefix: &str, tool: &str) -> String {
    let fits = |symbol: char| symbol.is_ascii_alphanumeric() || matches!(symbol, '_' | '-');
    let room = LONGEST - prefix.len() - BETWEEN.len();
    if tool.chars().all(fits) && tool.len() <= room {
        return format!("{prefix}{BETWEEN}{tool}");
    }
    let hash = Sha256::digest(tool.as_bytes());
    let mark: String = hash.iter().take(4).map(|byte| format!("{byte:02x}")).collect();
    let mut plain: String = tool.chars().map(|symbol| if fits(symbol) { symbol } else { '_' }).collect();
    plain.truncate(room - mark.len() - 1);
    format!("{prefix}{BETWEEN}{plain}_{mark}")
}

/// The prefix of a name that [`joined`] made; none for a tool of the app's own.
#[must_use]
pub fn prefix_in(name: &str) -> Option<&str> {
    name.split_once(BETWEEN).map(|(prefix, _)| prefix).filter(|prefix| !prefix.is_empty())
}

#[cfg(test)]
mod tests {
    use super::{LONGEST, free_prefix, joined, prefix_in, prefix_of};

    #[test]
    fn a_prefix_is_made_of_any_name() {
        let rows = [
            ("GitHub", "github"),
            ("My -- Tools!", "my_tools"),
            ("tools.example.com", "tools_example_com"),
            ("__a__b__", "a_b"),
            ("Погода", "server"),
            ("", "server"),
            ("a name that goes on and on", "a_name_that_goes_on"),
        ];
        for (name, prefix) in rows {
            assert_eq!(prefix_of(name), prefix, "{name}");
        }
        let taken = ["github", "github2"];
        assert_eq!(free_prefix("github", |one| taken.contains(&one)), "github3");
        assert_eq!(free_prefix("jira", |one| taken.contains(&one)), "jira");
    }

    #[test]
    fn names_fit_every_model_and_differ() {
        assert_eq!(joined("github", "search-issues"), "github__search-issues");
        let odd = ["a.b", "a b", "a/b", "ä", &"x".repeat(300), &format!("{}y", "x".repeat(299))];
        let names: std::collections::BTreeSet<String> =
            odd.iter().map(|tool| joined("a_prefix_of_twenty_l", tool)).collect();
        assert_eq!(names.len(), odd.len());
        for name in names {
            assert!(name.len() <= LONGEST, "{name}");
            assert!(
                name.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-')),
                "{name}"
            );
            assert_eq!(prefix_in(&name), Some("a_prefix_of_twenty_l"));
        }
        for own in ["todo_create", "__x", ""] {
            assert_eq!(prefix_in(own), None, "{own}");
        }
    }
}
