//! The names of a server's tools beside those of others: `prefix__tool`, as every model's wire format takes them
//! (1 to 64 of `[A-Za-z0-9_-]`).

use std::collections::BTreeSet;

use mcp::ToolDef;
use protocol::BETWEEN;
use sha2::{Digest, Sha256};

/// The longest name that every model takes, in bytes.
const LONGEST: usize = 64;

/// How many hex digits of its hash mark a name.
const MARK: usize = 8;

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

/// The name a model calls a tool by. A name that had to be changed or cut ends in a part of its hash, and so does one that
/// looks as if it did: no server can give a tool the name of another. (Only a part: see [`distinct`].)
#[must_use]
pub fn joined(prefix: &str, tool: &str) -> String {
    let fits = |symbol: char| symbol.is_ascii_alphanumeric() || matches!(symbol, '_' | '-');
    let room = LONGEST - prefix.len() - BETWEEN.len();
    if tool.chars().all(fits) && tool.len() <= room && !ends_like_a_mark(tool) {
        return format!("{prefix}{BETWEEN}{tool}");
    }
    let hash = Sha256::digest(tool.as_bytes());
    let mark: String = hash.iter().take(MARK / 2).map(|byte| format!("{byte:02x}")).collect();
    let mut plain: String = tool.chars().map(|symbol| if fits(symbol) { symbol } else { '_' }).collect();
    plain.truncate(room - mark.len() - 1);
    format!("{prefix}{BETWEEN}{plain}_{mark}")
}

/// Whether a name ends as a marked one does.
fn ends_like_a_mark(tool: &str) -> bool {
    let is_hex = |byte: &u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
    tool.rsplit_once('_').is_some_and(|(_, end)| end.len() == MARK && end.as_bytes().iter().all(is_hex))
}

/// The tools without those that a model could not tell from an earlier one, and how many these are: the parts of two hashes
/// can be the same, and a request with two tools of one name is refused as a whole.
#[must_use]
pub fn distinct(prefix: &str, tools: Vec<ToolDef>) -> (Vec<ToolDef>, usize) {
    let count = tools.len();
    let mut known = BTreeSet::new();
    let kept: Vec<ToolDef> =
        tools.into_iter().filter(|tool| known.insert(joined(prefix, &tool.name))).collect();
    let left_out = count - kept.len();
    (kept, left_out)
}

/// The prefix of a name that [`joined`] made; none for a tool of the app's own.
#[must_use]
pub fn prefix_in(name: &str) -> Option<&str> {
    name.split_once(BETWEEN).map(|(prefix, _)| prefix).filter(|prefix| !prefix.is_empty())
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use mcp::ToolDef;
    use serde_json::json;

    use super::{LONGEST, distinct, free_prefix, joined, prefix_in, prefix_of};

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
    fn no_tool_takes_the_name_of_another() {
        let tool = |name: &str| -> ToolDef {
            serde_json::from_value(json!({"name": name, "inputSchema": {"type": "object"}})).unwrap()
        };
        // One that is called as another one's name is made.
        let made = joined("notes", "a.b");
        let thief = made.strip_prefix("notes__").unwrap();
        assert_ne!(joined("notes", thief), made);
        assert_eq!(joined("notes", "a_cafe"), "notes__a_cafe", "eight digits are a mark, and no fewer");
        let both = vec![tool("a.b"), tool(thief), tool("c")];
        assert_eq!(distinct("notes", both.clone()), (both, 0));
        // Two whose marks happen to be the same: the first one stays. Such a pair is found by trying.
        let symbols: Vec<char> = "!#$%&()*+,./:;<=>?@[]^{|}~".chars().collect();
        let mut found: BTreeMap<String, String> = BTreeMap::new();
        let pair = (0_usize..).find_map(|mut n| {
            let odd: String = (0..6)
                .map(|_| {
                    let symbol = symbols[n % symbols.len()];
                    n /= symbols.len();
                    symbol
                })
                .collect();
            found.insert(joined("notes", &odd), odd.clone()).map(|other| (other, odd))
        });
        let (one, other) = pair.unwrap();
        let (kept, left_out) = distinct("notes", vec![tool(&one), tool("plain"), tool(&other)]);
        assert_eq!((kept, left_out), (vec![tool(&one), tool("plain")], 1));
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
