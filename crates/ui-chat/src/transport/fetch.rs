//! The request as any MCP client would make it: the last resort, since it is the slowest way.

use mcp::Headers;
use web::clock::sleep;
use web::http::{self, RequestBuilder};

use super::{REVIVE_MS, TransportReply};

/// How often fetch is tried: the browser starts a stopped worker again once for a request, not twice.
const FETCHES: u32 = 4;

/// Posts to the endpoint beside this page, and again where nothing came back.
pub(super) async fn until_answered(headers: &Headers, body: &str) -> Result<TransportReply, String> {
    let mut answer = exchange(headers, body).await;
    for _ in 1..FETCHES {
        if answer.is_ok() {
            break;
        }
        sleep(REVIVE_MS).await;
        answer = exchange(headers, body).await;
    }
    answer
}

async fn exchange(headers: &Headers, body: &str) -> Result<TransportReply, String> {
    // It goes on when nobody waits any more: a request that is ended would end its call.
    let request = RequestBuilder::new("api/mcp");
    let answer = http::answered(request, "POST", headers.iter(), body.as_bytes()).await?;
    let body = http::text(&answer).await?;
    Ok(TransportReply {
        status: answer.status(),
        headers: http::readable(&answer).into_iter().collect(),
        body,
    })
}
