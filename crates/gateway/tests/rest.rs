//! An upstream that keeps breaking is left alone for a while, and asked again after it (D-15), over real sockets.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "tests may stop where they stand")]

mod bench;

use std::sync::Arc;
use std::sync::atomic::{AtomicU16, Ordering};
use std::time::Duration;

use bench::{QUESTION, answer, provider, start, upstreams};

#[tokio::test]
async fn an_upstream_that_keeps_breaking_is_left_alone_and_asked_again_after_a_while() {
    let status = Arc::new(AtomicU16::new(500));
    let now = status.clone();
    let provider = provider(move || {
        answer(now.load(Ordering::Relaxed), &[("content-type", "application/json")], "{}".to_owned())
    })
    .await;
    let bench = start("rest", |config| {
        config.upstreams = upstreams(&provider.base_url);
        let same = config.upstreams["test"].clone();
        config.upstreams.insert("other".into(), same);
    })
    .await;
    let ask = async |upstream: &str| bench.ask(upstream, QUESTION).send().await.unwrap();
    let asked = || provider.asked.lock().unwrap().len();
    for _ in 0..4 {
        assert_eq!(ask("test").await.status().as_u16(), 500);
    }
    // One that answers, if only with a refusal, works.
    status.store(404, Ordering::Relaxed);
    assert_eq!(ask("test").await.status().as_u16(), 404);
    status.store(500, Ordering::Relaxed);
    for _ in 0..5 {
        assert_eq!(ask("test").await.status().as_u16(), 500);
    }
    assert_eq!(asked(), 10);
    let refused = ask("test").await;
    assert_eq!(refused.status().as_u16(), 503);
    let seconds: u64 = refused.headers()["retry-after"].to_str().unwrap().parse().unwrap();
    assert!((13..=15).contains(&seconds), "{seconds}");
    let text = refused.text().await.unwrap();
    assert!(text.contains("left alone for") && text.contains("upstream_left_alone"), "{text}");
    assert_eq!(asked(), 10, "nothing was passed on");
    assert_eq!(ask("other").await.status().as_u16(), 500, "each upstream is for itself");
    status.store(200, Ordering::Relaxed);
    tokio::time::sleep(Duration::from_secs(seconds)).await;
    assert_eq!(ask("test").await.status().as_u16(), 200);
    assert_eq!(ask("test").await.status().as_u16(), 200);
}
