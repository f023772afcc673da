//! Where a link goes, for links whose words do not say it: planted text hides an address behind friendly words, or lies.

use super::Inline;

/// The host (or the mail address) that a link goes to, when its words are not that address itself.
#[must_use]
pub fn unsaid_target(href: &str, inlines: &[Inline]) -> Option<String> {
    let rest = href.split_once(':').map_or(href, |(_, rest)| rest);
    let authority = rest.trim_start_matches('/').split(['/', '?', '#']).next().unwrap_or_default();
    let is_mail = !rest.starts_with("//");
    // What stands before the @ of a web address is for show.
    let target = if is_mail { authority } else { authority.rsplit('@').next().unwrap_or_default() };
    let words = words(inlines).trim().to_lowercase();
    let words = words.split_once("://").map_or(words.as_str(), |(_, rest)| rest);
    let says_it = words
        .strip_prefix(&target.to_lowercase())
        .is_some_and(|after| after.is_empty() || after.starts_with(['/', '?', '#']));
    (!says_it).then(|| target.to_owned())
}

fn words(inlines: &[Inline]) -> String {
    let one = |inline: &Inline| match inline {
        Inline::Text(text) | Inline::Code(text) => text.clone(),
        Inline::Emphasis(inner) | Inline::Strong(inner) | Inline::Strike(inner) | Inline::Mark(inner) => {
            words(inner)
        }
        Inline::Link { inlines, .. } => words(inlines),
        Inline::Break => " ".to_owned(),
    };
    inlines.iter().map(one).collect()
}
