//! The page's start: trunk writes it into index.html as an inline script, which a strict
//! Content-Security-Policy (`script-src 'self'`) forbids. It moves into a file of its own. And the policy
//! itself goes into the page, for hosts that can set no headers.

use anyhow::{Context, Result, bail};

const OPEN: &str = "<script type=\"module\">";
const CLOSE: &str = "</script>";

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

/// Takes the one inline script out of `html`; gives back the page that loads it from
/// `script_url`, and the script's text.
pub fn extract_script(html: &str, script_url: &str) -> Result<(String, String)> {
    let (before, rest) = html.split_once(OPEN).context("trunk wrote no start script into index.html")?;
    let (script, after) = rest.split_once(CLOSE).context("the start script in index.html has no end")?;
    let page = format!("{before}<script type=\"module\" src=\"{script_url}\">{CLOSE}{after}");
    if let Some(what) = inline(&page) {
        bail!("index.html holds {what}, which the Content-Security-Policy would block");
    }
    Ok((page, format!("{}\n", script.trim())))
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
    fn the_start_script_moves_into_a_file() {
        let html = "<head><title>S</title>\n<script type=\"module\">\nimport init from './ui.js';\n</script></head><body></body>";
        let (page, script) = extract_script(html, "./boot.js").unwrap();
        assert_eq!(
            page,
            "<head><title>S</title>\n<script type=\"module\" src=\"./boot.js\"></script></head><body></body>"
        );
        assert_eq!(script, "import init from './ui.js';\n");
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
            let error = extract_script(&format!("{OPEN}x{CLOSE}{more}"), "./boot.js").unwrap_err();
            assert!(error.to_string().contains(what), "{error}");
        }
        assert!(extract_script("<head></head>", "./boot.js").is_err());
    }
}
