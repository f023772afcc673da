//! Two gateways and a NATS.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use futures::future::join_all;
use gateway::{Cluster, Counters, Rates, Standing};
use gateway_nats::{NatsCounters, Options};
use nats::Servers;

use crate::bench::{gateway, provider, until};

const RATES: Rates = Rates { per_minute: 1_000, per_hour: 100_000 };

/// Counters by a clock that the test moves.
async fn counters(nats: &str, now_ms: &Arc<AtomicI64>) -> NatsCounters {
    let now_ms = Arc::clone(now_ms);
    let options = Options::of(&Cluster::at(nats)).by(move || now_ms.load(Ordering::Relaxed));
    NatsCounters::open(options).await.unwrap()
}

/// So many requests at once, by turns at each; how many were let through.
async fn take(all: &[&NatsCounters], count: usize, rates: Rates) -> usize {
    let each = (0..count).map(|number| all[number % all.len()].take("client", rates));
    join_all(each).await.iter().filter(|taken| taken.is_ok()).count()
}

/// Acceptance 4 of issue 18.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn ten_thousand_requests_at_two_gateways_are_held_to_a_thousand() {
    let (servers, provider) = (Servers::start(1), provider().await);
    let limits = |config: &mut gateway::Config| config.limits.requests_per_minute = 1_000;
    let one = gateway(&servers.url(), &provider, limits).await;
    let two = gateway(&servers.url(), &provider, limits).await;
    let (started, left, passed) = (Instant::now(), AtomicUsize::new(10_000), AtomicUsize::new(0));
    let ask = async |gateway: &crate::bench::Bench| {
        while left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(1)).is_ok() {
            let (status, wait) = gateway.ask().await;
            match status {
                200 => drop(passed.fetch_add(1, Ordering::Relaxed)),
                429 => assert!(wait.is_some_and(|seconds| (1..=61).contains(&seconds)), "{wait:?}"),
                other => panic!("{other}"),
            }
        }
    };
    join_all((0..32).map(|number| ask(if number % 2 == 0 { &one } else { &two }))).await;
    let took = started.elapsed();
    assert!(took < Duration::from_secs(55), "longer than the window: {took:?}");
    let passed = passed.into_inner();
    println!("{passed} of 10,000 passed in {took:?}");
    assert!((990..=1_010).contains(&passed), "{passed}");
    assert_eq!(provider.asked.load(Ordering::Relaxed), passed, "and no more came to the upstream");
    one.gateway.shutdown().await;
    two.gateway.shutdown().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_window_slides_for_all() {
    let servers = Servers::start(1);
    let now_ms = Arc::new(AtomicI64::new(1_700_000_000_000));
    let (one, two) = (counters(&servers.url(), &now_ms).await, counters(&servers.url(), &now_ms).await);
    assert_eq!(take(&[&one, &two], 600, RATES).await, 600);
    now_ms.fetch_add(30_000, Ordering::Relaxed);
    assert_eq!(take(&[&one, &two], 900, RATES).await, 400);
    // The first 600 leave together, a minute after they came and at most a hundredth later.
    now_ms.fetch_add(29_999, Ordering::Relaxed);
    assert_eq!(take(&[&two], 10, RATES).await, 0);
    now_ms.fetch_add(601, Ordering::Relaxed);
    assert_eq!(take(&[&two, &one], 900, RATES).await, 600);
    let wait = two.take("client", RATES).await.unwrap_err();
    assert!(wait <= Duration::from_secs(30), "{wait:?}");
    // The hour holds too, and another client is another.
    let few = Rates { per_minute: 1_000, per_hour: 1_601 };
    now_ms.fetch_add(120_000, Ordering::Relaxed);
    assert_eq!(take(&[&one, &two], 50, few).await, 1);
    assert!(two.take("another", few).await.is_ok());
    assert!(one.take("none", Rates { per_minute: 0, per_hour: 9 }).await.is_err());
}
