//! A clock that stands still: waits are over at once, and nothing ever takes too long.

use async_trait::async_trait;
use llm::{RetryPolicy, Timer};

pub struct NoTime;

#[async_trait(?Send)]
impl Timer for NoTime {
    fn now_ms(&self) -> i64 {
        0
    }
    fn jitter(&self) -> f64 {
        0.0
    }
    async fn sleep(&self, ms: u64) {
        if ms >= RetryPolicy::default().stall_ms {
            std::future::pending::<()>().await;
        }
    }
}
