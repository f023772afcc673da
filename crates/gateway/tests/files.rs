//! The app as files: headers, caching, precompressed twins, and no way out of the folder.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "tests may stop where they stand")]

mod bench;

use bench::start;
use tokio::io::{AsyncReadExt, AsyncWriteExt};

#[tokio::test]
async fn every_answer_has_the_strict_headers() {
    let bench =
        start("strict", |config| config.connect_origins = vec!["https://models.example.org".into()]).await;
    let mut shown = Vec::new();
    for path in ["/", "/sw.js", "/missing", "/healthz", "/api/models", "/api/mcp", "/api/nothing", "/icons"] {
        let response = bench.get(path).await;
        let strict: Vec<String> = response
            .headers()
            .iter()
            .filter(|(name, _)| {
                let name = name.as_str();
                name.starts_with("x-") || name.contains("policy")
            })
            .map(|(name, value)| format!("{name}: {}", value.to_str().unwrap()))
            .collect();
        shown.push((path, strict));
    }
    let (_, first) = shown[0].clone();
    for (path, strict) in &shown {
        assert_eq!(strict, &first, "{path}");
    }
    insta::assert_snapshot!(first.join("\n"));
}

#[tokio::test]
async fn files_say_how_long_they_keep() {
    let bench = start("keep", |_| {}).await;
    let mut rows = Vec::new();
    for path in [
        "/", "/index.html", "/sw.js", "/service-worker.js", "/service-worker_bg.wasm",
        "/manifest.webmanifest", "/icons/icon.svg", "/icons/icon.png", "/ui-0123456789abcdef.js",
        "/ui-0123456789abcdef_bg.wasm", "/styles-a1b2c3d4.css", "/gone-0123456789abcdef.js", "/missing",
    ] {
        let response = bench.get(path).await;
        let header =
            |name: &str| response.headers().get(name).map_or("-", |value| value.to_str().unwrap()).to_owned();
        let row =
            (response.status().as_u16(), header("content-type"), header("cache-control"), header("vary"));
        rows.push(format!("{path}: {} | {} | {} | {}", row.0, row.1, row.2, row.3));
    }
    insta::assert_snapshot!(rows.join("\n"));
}

#[tokio::test]
async fn precompressed_twins_go_to_who_accepts_them() {
    let bench = start("twins", |_| {}).await;
    for (path, accepts, encoding, body) in [
        ("/ui-0123456789abcdef.js", "gzip, deflate, br", "br", "BROTLI"),
        ("/ui-0123456789abcdef.js", "gzip", "gzip", "GZIP"),
        ("/ui-0123456789abcdef.js", "br;q=0, gzip", "gzip", "GZIP"),
        ("/ui-0123456789abcdef.js", "", "-", "// page"),
        ("/ui-0123456789abcdef.js", "identity", "-", "// page"),
        ("/ui-0123456789abcdef_bg.wasm", "br", "br", "WASM-BROTLI"),
        ("/ui-0123456789abcdef_bg.wasm", "gzip", "-", "\0asm page"),
        ("/sw.js", "br, gzip", "-", "importScripts('service-worker.js');"),
    ] {
        let request = bench.http.get(format!("{}{path}", bench.url)).header("accept-encoding", accepts);
        let response = request.send().await.unwrap();
        let headers = response.headers().clone();
        assert_eq!(
            headers.get("content-encoding").map_or("-", |value| value.to_str().unwrap()),
            encoding,
            "{path} {accepts}"
        );
        assert_eq!(headers.get("vary").unwrap(), "accept-encoding");
        let kind = if path.ends_with("wasm") { "application/wasm" } else { "text/javascript" };
        assert_eq!(headers.get("content-type").unwrap(), kind, "{path}");
        assert_eq!(response.text().await.unwrap(), body, "{path} {accepts}");
    }
}

#[tokio::test]
async fn what_is_known_is_not_sent_again() {
    let bench = start("conditional", |_| {}).await;
    let url = format!("{}/index.html", bench.url);
    let first = bench.http.get(&url).send().await.unwrap();
    let tag = first.headers().get("etag").expect("a tag").clone();
    let again = bench.http.get(&url).header("if-none-match", tag.clone()).send().await.unwrap();
    assert_eq!(
        (again.status().as_u16(), again.headers().get("cache-control").unwrap().to_str().unwrap()),
        (304, "no-cache")
    );
    assert_eq!(again.text().await.unwrap(), "");
    std::fs::write(bench::app("conditional").join("index.html"), "changed").unwrap();
    let changed = bench.http.get(&url).header("if-none-match", tag).send().await.unwrap();
    assert_eq!((changed.status().as_u16(), changed.text().await.unwrap().as_str()), (200, "changed"));
    let head = bench.http.head(&url).send().await.unwrap();
    assert_eq!(
        (head.status().as_u16(), head.headers().get("content-length").unwrap().to_str().unwrap()),
        (200, "7")
    );
    let posted = bench.http.post(&url).send().await.unwrap();
    assert_eq!(posted.status().as_u16(), 405);
}

#[tokio::test]
async fn no_path_leads_out_of_the_folder() {
    let bench = start("traversal", |_| {}).await;
    for path in [
        "/../secret.txt", "/icons/../../secret.txt", "/%2e%2e/secret.txt", "/..%2fsecret.txt",
        "/icons/%2e%2e%2f%2e%2e%2fsecret.txt", "/..\\secret.txt", "/..%5csecret.txt", "//secret.txt",
        "/%00secret.txt", "/etc/passwd", "//etc/passwd", "/%2fetc%2fpasswd", "/....//secret.txt",
    ] {
        // Over a bare socket: a client library would tidy the path first.
        let address = bench.url.strip_prefix("http://").unwrap();
        let mut socket = tokio::net::TcpStream::connect(address).await.unwrap();
        let request = format!("GET {path} HTTP/1.1\r\nhost: {address}\r\nconnection: close\r\n\r\n");
        socket.write_all(request.as_bytes()).await.unwrap();
        let mut answer = String::new();
        socket.read_to_string(&mut answer).await.unwrap();
        assert!(answer.starts_with("HTTP/1.1 4"), "{path}: {answer}");
        assert!(!answer.contains("outside") && !answer.contains("root:"), "{path}: {answer}");
    }
}

#[tokio::test]
async fn a_folder_without_an_app_is_said_at_once() {
    let error = gateway::serve(gateway::Config::new("/nowhere")).await.unwrap_err();
    assert!(error.to_string().contains("no built app in /nowhere"), "{error}");
}
