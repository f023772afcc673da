//! What the build writes into index.html: how the page starts, its style sheet, and the Content-Security-Policy, for hosts
//! that can set no headers.

use anyhow::{Context, Result, bail};

/// How www/index.html names a style sheet.
const STYLE: &str = "<link rel=\"stylesheet\" href=\"";

/// Where www/index.html wants the page's start.
const MARK: &str = "<link rel=\"start\" />";

/// The gateway's policy (`crates/gateway/src/headers.rs`), as far as a page can say it of itself: a `meta`
/// knows no `frame-ancestors`. Where a header is sent as well, both hold, so this one must not be narrower
/// than what a gateway was configured to allow, and on a host without headers nobody can add a provider's
/// address: `connect-src` leaves the choice of the model to the person. An end-to-end test compares the two.
const POLICY: &str = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; \
    img-src 'self' blob: data:; font-src 'self'; connect-src 'self' http: https:; worker-src 'self'; \
    manifest-src 'self'; form-action 'none'; base-uri 'none'";

/// Puts the policy into the page, before anything it governs.
pub fn with_policy(html: &str) -> Result<String> {
    let charset = html.find("<meta charset").context("index.html says no charset")?;
    let end = html[charset..].find('>').context("index.html breaks off")? + charset + 1;
    if let Some(early) = ["<script", "<link", "<style"].iter().find(|tag| html[..end].contains(**tag)) {
        bail!("index.html has {early} before the charset, where the policy would come too late");
    }
    let (before, after) = html.split_at(end);
    Ok(format!("{before}<meta http-equiv=\"Content-Security-Policy\" content=\"{POLICY}\">{after}"))
}

/// Writes the page's start where www/index.html has its mark: the scripts are asked for at once, and `loader` starts the
/// program. The program's own bytes are not asked for here: the first paint is HTML, and they would share its line.
pub fn with_start(html: &str, script: &str, loader: &str) -> Result<String> {
    let (before, after) = html.split_once(MARK).context("index.html has no place for the page's start")?;
    let page = format!(
        "{before}<link rel=\"modulepreload\" href=\"./{script}\"><link rel=\"modulepreload\" href=\"./{loader}\">\
         <script type=\"module\" src=\"./{loader}\"></script>{after}"
    );
    if let Some(what) = inline(&page) {
        bail!("index.html holds {what}, which the Content-Security-Policy would block");
    }
    Ok(page)
}

/// The page without its style sheets, and their names, in order.
pub fn without_styles(html: &str) -> (String, Vec<String>) {
    let (mut page, mut names) = (String::new(), Vec::new());
    let mut tags = html.split(STYLE);
    page += tags.next().unwrap_or_default();
    for tag in tags {
        let (name, rest) = tag.split_once('"').unwrap_or((tag, ""));
        names.push(name.to_owned());
        page += rest.split_once('>').map_or("", |(_, after)| after).trim_start_matches(['\n', ' ']);
    }
    (page, names)
}

/// The page with the name of a language's file of words, before its start.
pub fn with_words(html: &str, language: &str, name: &str) -> Result<String> {
    let (before, after) = html.split_once(MARK).context("index.html has no place for the page's start")?;
    Ok(format!("{before}<meta name=\"words-{language}\" content=\"{name}\">{MARK}{after}"))
}

/// The page with the folder of a program that runs off it, before its start: what is not there is not offered.
pub fn with_helper(html: &str, folder: &str) -> Result<String> {
    let (before, after) = html.split_once(MARK).context("index.html has no place for the page's start")?;
    Ok(format!("{before}<meta name=\"helper\" content=\"{folder}\">{MARK}{after}"))
}

/// The page with its one style sheet, before its start.
pub fn with_style(html: &str, name: &str) -> Result<String> {
    let (before, after) = html.split_once(MARK).context("index.html has no place for the page's start")?;
    Ok(format!("{before}{STYLE}./{name}\">{MARK}{after}"))
}

/// What the policy would block: inline scripts, styles and handlers.
fn inline(page: &str) -> Option<&'static str> {
    let mut tags = page.split('<').skip(1).map(|tag| tag.split('>').next().unwrap_or_default());
    tags.find_map(|tag| {
        let name = tag.split_whitespace().next().unwrap_or_default();
        let attribute = |start: &str| tag.split_whitespace().any(|word| word.starts_with(start));
        match name {
            "script" if !attribute("src=") => Some("an inline script"),
            "style" => Some("an inline style sheet"),
            _ if attribute("style=") => Some("a style attribute"),
            _ if attribute("onload=") || attribute("onclick=") || attribute("onerror=") => {
                Some("an inline handler")
            }
            _ => None,
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_start_stands_at_its_mark() {
        let page = with_start(&format!("<head>{MARK}</head>"), "ui-1.js", "ui-parts-1.js").unwrap();
        assert_eq!(page.matches("rel=\"modulepreload\"").count(), 2);
        assert!(!page.contains("wasm"), "the first paint shares its line with nothing: {page}");
        assert!(page.starts_with("<head><link rel=\"modulepreload\" href=\"./ui-1.js\">"), "{page}");
        assert!(page.ends_with("<script type=\"module\" src=\"./ui-parts-1.js\"></script></head>"), "{page}");
        assert!(with_start("<head></head>", "a", "b").is_err());
    }

    #[test]
    fn the_policy_stands_before_what_it_governs() {
        let page = with_policy("<head><meta charset=\"utf-8\"><link rel=\"icon\"></head>").unwrap();
        assert!(page.starts_with(
            "<head><meta charset=\"utf-8\"><meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none';"
        ));
        assert!(page.ends_with("base-uri 'none'\"><link rel=\"icon\"></head>"), "{page}");
        assert!(with_policy("<head><link rel=\"icon\"><meta charset=\"utf-8\"></head>").is_err());
        assert!(with_policy("<head></head>").is_err());
    }

    #[test]
    fn what_the_policy_would_block_stops_the_build() {
        for (more, what) in [
            ("<script>1</script>", "an inline script"),
            ("<style>a{}</style>", "an inline style sheet"),
            ("<p style=\"color:red\">", "a style attribute"),
            ("<img src=a onerror=\"x()\">", "an inline handler"),
        ] {
            let error = with_start(&format!("{MARK}{more}"), "a", "b").unwrap_err();
            assert!(error.to_string().contains(what), "{error}");
        }
    }
}
