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

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn eight_servers_that_all_want_the_last_ones_take_no_more() {
    let servers = Servers::start(1);
    let now_ms = Arc::new(AtomicI64::new(1_700_000_000_000));
    let nats = servers.url();
    let all = join_all((0..8).map(|_| counters(&nats, &now_ms))).await;
    let all: Vec<&NatsCounters> = all.iter().collect();
    let few = Rates { per_minute: 100, ..RATES };
    // By ones, so that puts cross as often as they can.
    let by_ones = all.iter().map(async |one| {
        let mut taken = 0;
        for _ in 0..50 {
            taken += usize::from(one.take("client", few).await.is_ok());
        }
        taken
    });
    let taken: usize = join_all(by_ones).await.iter().sum();
    assert!((99..=100).contains(&taken), "{taken}");
    assert_eq!(take(&all, 80, few).await + taken, 100, "what is left is had by whoever asks again");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn while_nats_is_away_each_goes_on_with_its_share() {
    let (mut servers, provider) = (Servers::start(1), provider().await);
    let limits = |config: &mut gateway::Config| config.limits.requests_per_minute = 40;
    let one = gateway(&servers.url(), &provider, limits).await;
    let two = gateway(&servers.url(), &provider, limits).await;
    until("both know of two", async || one.counters.servers() == 2 && two.counters.servers() == 2).await;
    assert_eq!((one.get("/readyz").await, one.ask().await.0), (200, 200));
    servers.kill(0);
    // The one that is asked first waits for a moment; then nobody does.
    let mut passed = 1;
    for _ in 0..40 {
        passed += usize::from(one.ask().await.0 == 200);
    }
    assert_eq!(passed, 20, "its half");
    assert_eq!(
        (one.counters.standing(), one.get("/readyz").await),
        (Standing::Away, 200),
        "it is said, and it goes on"
    );
    assert_eq!(one.get("/healthz").await, 200);
    servers.run(0);
    until("it is back", async || one.counters.standing() != Standing::Away).await;
    // What was counted in memory of a server that was alone is gone with it; what a gateway knew it tells.
    let taken = one.counters.take("another", Rates { per_minute: 1, per_hour: 1 }).await;
    assert!(taken.is_ok());
    until("the other is back too", async || {
        // It finds out by asking.
        let _either = two.counters.take("a third", RATES).await;
        two.counters.standing() != Standing::Away
    })
    .await;
    assert!(two.counters.take("another", Rates { per_minute: 1, per_hour: 1 }).await.is_err());
}

/// After its pause the second one tries it, which works, and all may ask again.
async fn closes(one: &NatsCounters, two: &NatsCounters, now_ms: &AtomicI64) {
    now_ms.fetch_add(15_000, Ordering::Relaxed);
    until("it is tried", async || two.permit("test").await.is_ok()).await;
    two.record("test", true).await;
    until("closed for all", async || one.left_alone().is_empty() && two.left_alone().is_empty()).await;
    assert_eq!((one.permit("test").await, two.permit("test").await), (Ok(()), Ok(())));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_upstream_that_breaks_is_left_alone_by_all_and_tried_by_one() {
    let servers = Servers::start(1);
    let now_ms = Arc::new(AtomicI64::new(1_700_000_000_000));
    let (one, two) = (counters(&servers.url(), &now_ms).await, counters(&servers.url(), &now_ms).await);
    for _ in 0..5 {
        assert!(one.permit("test").await.is_ok());
        one.record("test", false).await;
    }
    assert!(one.permit("test").await.is_err());
    until("the other knows", async || two.permit("test").await.is_err()).await;
    assert_eq!((two.left_alone(), two.permit("other").await), (vec!["test".to_owned()], Ok(())));
    now_ms.fetch_add(15_000, Ordering::Relaxed);
    let tries =
        join_all((0..20).map(|number| if number % 2 == 0 { one.permit("test") } else { two.permit("test") }));
    assert_eq!(tries.await.iter().filter(|tried| tried.is_ok()).count(), 1, "one tries");
    // It fails: all wait again. The next one works: all may ask.
    one.record("test", false).await;
    until("still open", async || two.permit("test").await.is_err_and(|wait| wait > Duration::from_secs(10)))
        .await;
    closes(&one, &two, &now_ms).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_breaker_is_seen_at_both_gateways() {
    let (servers, provider) = (Servers::start(1), provider().await);
    let one = gateway(&servers.url(), &provider, |_| {}).await;
    let two = gateway(&servers.url(), &provider, |_| {}).await;
    provider.status.store(500, Ordering::Relaxed);
    for _ in 0..5 {
        assert_eq!(one.ask().await.0, 500);
    }
    until("the other leaves it alone", async || two.ask().await.0 == 503).await;
    let asked = provider.asked.load(Ordering::Relaxed);
    let (status, wait) = two.ask().await;
    assert!(status == 503 && wait.is_some_and(|seconds| (1..=15).contains(&seconds)), "{wait:?}");
    assert_eq!(provider.asked.load(Ordering::Relaxed), asked);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_quota_is_of_all_gateways_and_outlives_them() {
    let (servers, provider) = (Servers::start(1), provider().await);
    let quota = |config: &mut gateway::Config| config.quotas.tokens_per_month = Some(1_000);
    let one = gateway(&servers.url(), &provider, quota).await;
    let two = gateway(&servers.url(), &provider, quota).await;
    // 100 tokens each; what the other spent is known within about two seconds.
    until("it is used up at one", async || one.ask().await.0 == 429).await;
    until("and at the other", async || two.ask().await.0 == 429).await;
    one.counters.flush().await;
    one.gateway.shutdown().await;
    two.counters.flush().await;
    two.gateway.shutdown().await;
    let three = gateway(&servers.url(), &provider, quota).await;
    assert_eq!(three.ask().await.0, 429);
}

/// A NATS that is not there yet keeps nobody from starting; an address that is none does.
#[tokio::test]
async fn it_starts_without_nats_and_finds_it_later() {
    let mut servers = Servers::start(1);
    servers.kill(0);
    let one = NatsCounters::open(Options::of(&Cluster::at(servers.url()))).await.unwrap();
    assert_eq!(one.standing(), Standing::Away);
    assert!(one.take("client", RATES).await.is_ok() && one.permit("test").await.is_ok());
    servers.run(0);
    until("it finds it", async || one.standing() == Standing::Shared).await;
    assert!(one.take("client", RATES).await.is_ok());
    let wrong = Cluster { space: "a.b".into(), ..Cluster::at(servers.url()) };
    assert!(NatsCounters::open(Options::of(&wrong)).await.is_err());
    assert!(NatsCounters::open(Options::of(&Cluster::at("nats://a b"))).await.is_err());
}

/// It ends whatever else is there: the count is of when NATS was there last.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_share_stays_however_long_nats_is_away() {
    let mut servers = Servers::start(1);
    let now_ms = Arc::new(AtomicI64::new(1_700_000_000_000));
    let (one, two) = (counters(&servers.url(), &now_ms).await, counters(&servers.url(), &now_ms).await);
    until("both know of two", async || one.servers() == 2 && two.servers() == 2).await;
    servers.kill(0);
    // Longer than a server that says nothing is counted.
    tokio::time::sleep(Duration::from_secs(12)).await;
    let few = Rates { per_minute: 40, per_hour: 1_000 };
    assert_eq!(take(&[&one, &two], 100, few).await, 40, "20 each");
    assert_eq!((one.standing(), one.servers()), (Standing::Away, 2));
}

/// NATS keeps a server's last word for two hours.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn servers_that_are_gone_are_not_counted_by_one_that_comes() {
    let servers = Servers::start(1);
    let now_ms = Arc::new(AtomicI64::new(1_700_000_000_000));
    let one = counters(&servers.url(), &now_ms).await;
    let gone = [counters(&servers.url(), &now_ms).await, counters(&servers.url(), &now_ms).await];
    until("all know of three", async || one.servers() == 3 && gone[1].servers() == 3).await;
    drop(gone);
    // What they were about to say is said.
    tokio::time::sleep(Duration::from_millis(500)).await;
    now_ms.fetch_add(60_000, Ordering::Relaxed);
    let new = counters(&servers.url(), &now_ms).await;
    until("it knows of the other that is there", async || {
        assert!(new.servers() <= 2, "{}", new.servers());
        new.servers() == 2
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_breaker_closes_for_all_after_nats_has_lost_what_it_had() {
    let mut servers = Servers::start(1);
    let now_ms = Arc::new(AtomicI64::new(1_700_000_000_000));
    let (one, two) = (counters(&servers.url(), &now_ms).await, counters(&servers.url(), &now_ms).await);
    // Far more puts than there will be after the loss.
    for _ in 0..300 {
        one.record("test", false).await;
    }
    until("the other knows", async || !two.left_alone().is_empty()).await;
    servers.kill(0);
    servers.run(0);
    until("both are back", async || {
        let _either = (one.take("client", RATES).await, two.take("client", RATES).await);
        one.standing() == Standing::Shared && two.standing() == Standing::Shared
    })
    .await;
    // The sets are made again when a server next says that it is there, if not before.
    tokio::time::sleep(Duration::from_secs(5)).await;
    closes(&one, &two, &now_ms).await;
}

/// On how many servers journals are is for the API to say, which may come later.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn it_makes_no_stream_of_journals() {
    let servers = Servers::start(1);
    let one = NatsCounters::open(Options::of(&Cluster::at(servers.url()))).await.unwrap();
    assert!(one.take("client", RATES).await.is_ok());
    one.spend("account", gateway::Spent { tokens: 1, micro_usd: 1 }).await;
    one.flush().await;
    let streams = servers.store(0).join("jetstream/$G/streams");
    let names = std::fs::read_dir(streams).unwrap().map(|entry| entry.unwrap().file_name());
    assert_eq!(names.collect::<Vec<_>>(), ["SATCHEL_KV-satchel-gateway-accounts"]);
}

/// A cluster without most of its servers takes connections and can make nothing.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn it_starts_at_a_cluster_that_cannot_agree() {
    let mut servers = Servers::start(3);
    servers.kill(1);
    servers.kill(2);
    let started = Instant::now();
    let cluster = Cluster { replicas: 3, ..Cluster::at(servers.url()) };
    let one = NatsCounters::open(Options::of(&cluster)).await.unwrap();
    assert!(started.elapsed() < Duration::from_secs(8), "{:?}", started.elapsed());
    assert_eq!(one.standing(), Standing::Away);
    assert!(one.take("client", RATES).await.is_ok());
    servers.run(1);
    servers.run(2);
    until("it finds it", async || one.standing() == Standing::Shared).await;
}
