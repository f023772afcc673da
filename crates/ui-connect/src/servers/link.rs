//! How it stands with servers elsewhere, for as long as they are on the list.

use super::decisions::StoredServer;
use litemap::LiteMap;

/// How it stands with a server.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Link {
    /// Nobody has asked yet.
    #[default]
    Idle,
    /// It is being asked.
    Connecting,
    /// It answered.
    On {
        /// The revision that is spoken.
        revision: String,
    },
    /// It wants a token, a sign-in, or another one; and why.
    Locked(String),
    /// It cannot be used: what is in the way, and the line that mends it, if one does.
    Trouble(String, Option<String>),
}

impl Link {
    /// The word in `data-link`.
    #[must_use]
    pub fn word(&self) -> &'static str {
        match self {
            Self::Idle => "idle",
            Self::Connecting => "connecting",
            Self::On { .. } => "on",
            Self::Locked(_) => "locked",
            Self::Trouble(..) => "trouble",
        }
    }
}

/// Forgets what is known by address of servers that are not on the list any more, and gives their addresses.
pub(super) fn retain_kept<T>(known: &mut LiteMap<String, T>, kept: &[StoredServer]) -> Vec<String> {
    let is_kept = |url: &str| kept.iter().any(|one| one.url == url);
    let gone: Vec<String> = known.keys().filter(|url| !is_kept(url)).cloned().collect();
    known.retain(|url, _| is_kept(url));
    gone
}

#[cfg(test)]
mod tests {
    use litemap::LiteMap;

    use super::{Link, StoredServer, retain_kept};

    #[test]
    fn a_server_that_another_tab_removed_is_not_left_at_connecting() {
        let kept: Vec<StoredServer> = serde_json::from_str(
            r#"[{"url": "https://a.example/mcp", "name": "A", "prefix": "a", "on": true}]"#,
        )
        .unwrap();
        let urls = ["https://a.example/mcp", "https://b.example/mcp"];
        let mut links: LiteMap<String, Link> =
            urls.into_iter().map(|url| (url.to_owned(), Link::Connecting)).collect();
        assert_eq!(retain_kept(&mut links, &kept), ["https://b.example/mcp"]);
        assert_eq!(links.keys().collect::<Vec<_>>(), ["https://a.example/mcp"]);
    }
}
