//! Tokens that may not do everything, and what needs no token.

use api::{ModelChoice, Options, Tokens};
use serde_json::json;

use crate::client::{Client, last};
use crate::server::{Server, options, unhurried};

const ALL: &str = "anna-0123456789abcdef";
const READS: &str = "reads-0123456789abcdef";
const TALKS: &str = "talks-0123456789abcdef";
const SLOW: &str = "slow-0123456789abcdef";

#[tokio::test(flavor = "multi_thread")]
async fn a_token_does_what_its_scopes_say_at_its_rate() {
    let folder = tempfile::tempdir().unwrap();
    let tokens = format!(
        "anna:{ALL}\nanna:{READS} scopes=sessions:read\nanna:{TALKS} scopes=messages:write\nanna:{SLOW} rate=2"
    );
    let tokens = Tokens::read(&tokens).unwrap();
    let with = Options { tokens, limits: unhurried(), ..options(folder.path(), ModelChoice::BuiltIn) };
    let server = Server::start(with).await;
    let as_token = |token: &str| Client::new(&server.base, token);
    let session = as_token(ALL).session().await;
    let named = [("session", session.as_str())];

    let reads = as_token(READS);
    assert_eq!(reads.call("listSessions", &[], None).await.status, 200);
    assert_eq!(reads.call("getSession", &named, None).await.status, 200);
    let refused = reads.call("createSession", &[], Some(json!({}))).await;
    assert_eq!((refused.status, refused.code()), (403, "insufficient_scope"));
    assert!(refused.headers["www-authenticate"].to_str().unwrap().contains("insufficient_scope"));
    assert_eq!(reads.call("deleteSession", &named, None).await.code(), "insufficient_scope");
    assert_eq!(reads.refused(&session, "k", "hello").await.code(), "insufficient_scope");

    let talks = as_token(TALKS);
    assert_eq!(last(&talks.say(&session, "talks", "hello").await).name, "done");
    assert_eq!(talks.call("listSessions", &[], None).await.code(), "insufficient_scope");
    assert_eq!(talks.call("getEvents", &named, None).await.code(), "insufficient_scope");

    let slow = as_token(SLOW);
    for key in ["slow1", "slow2"] {
        slow.say(&session, key, "hello").await;
    }
    let refused = slow.refused(&session, "slow3", "hello").await;
    assert_eq!((refused.status, refused.code()), (429, "rate_limit_exceeded"));
    // The others of the name are as quick as before.
    as_token(ALL).say(&session, "after", "hello").await;
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn health_needs_no_token() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::built_in(folder.path()).await;
    for path in ["healthz", "readyz"] {
        let response = reqwest::get(format!("{}/{path}", server.base)).await.unwrap();
        assert_eq!(response.status().as_u16(), 200, "{path}");
    }
    server.stop().await;
}
