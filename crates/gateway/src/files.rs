//! The built app as files. Paths, conditions, ranges and precompressed twins are tower-http's; which
//! answer may be kept for how long is decided here.

use std::path::Path;

use axum::extract::Request;
use axum::http::{HeaderValue, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use tower_http::services::ServeDir;

/// The files of the built app; `file.br` and `file.gz` beside a file are sent to who accepts them.
pub(crate) fn service(dir: &Path) -> ServeDir {
    ServeDir::new(dir).precompressed_br().precompressed_gzip()
}

/// Says how long an answer may be kept, and gives a missing file a body.
pub(crate) async fn caching(request: Request, next: Next) -> Response {
    let forever = request.uri().path().rsplit('/').next().is_some_and(is_hashed);
    let mut response = next.run(request).await;
    if response.status() == StatusCode::NOT_FOUND {
        let mut missing = (StatusCode::NOT_FOUND, "Not found.\n").into_response();
        missing.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static("no-cache"));
        return missing;
    }
    let keep = if forever && (response.status().is_success() || response.status() == StatusCode::NOT_MODIFIED)
    {
        "public, max-age=31536000, immutable"
    } else {
        // Kept, but asked for again each time: the answer is then a cheap 304.
        "no-cache"
    };
    response.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static(keep));
    response
}

/// True when a file's name holds a content hash: eight or more hex digits as a word of their own, at
/// least one of them a digit, so that no English word counts.
fn is_hashed(name: &str) -> bool {
    name.split(|c: char| !c.is_ascii_alphanumeric()).any(|word| {
        word.len() >= 8
            && word.chars().all(|c| matches!(c, '0'..='9' | 'a'..='f'))
            && word.chars().any(|c| c.is_ascii_digit())
    })
}

#[cfg(test)]
mod tests {
    use super::is_hashed;

    #[test]
    fn only_a_name_with_a_hash_is_kept_forever() {
        for (name, hashed) in [
            ("ui-0123456789abcdef.js", true),
            ("ui-0123456789abcdef_bg.wasm", true),
            ("styles-a1b2c3d4.css", true),
            ("index.html", false),
            ("sw.js", false),
            ("service-worker.js", false),
            ("service-worker_bg.wasm", false),
            ("manifest.webmanifest", false),
            ("icon-192.png", false),
            ("a1b2c3d.js", false),
            ("facade-defaced.js", false),
            ("A1B2C3D4.js", false),
            ("", false),
        ] {
            assert_eq!(is_hashed(name), hashed, "{name}");
        }
    }
}
