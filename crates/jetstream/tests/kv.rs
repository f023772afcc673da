//! Values by key: put only over what was seen, watched, and forgotten.

use std::time::Duration;

use futures::StreamExt;
use jetstream::{Kv, KvOptions, Options, Space};
use nats::Servers;

fn run(test: impl Future<Output = ()>) {
    tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(test);
}

#[test]
fn a_value_is_put_only_over_the_one_that_was_seen() {
    run(async {
        let servers = Servers::start(1);
        let space = Space::connect(&servers.url(), Options::new("kv")).await.unwrap();
        let kv = Kv::open(&space, "leases", KvOptions::default()).await.unwrap();
        // Of any text, what no subject could have included.
        let key = "owner. > *\u{1F600}";
        assert_eq!(kv.get(key).await.unwrap(), None);
        let first = kv.put(key, 0, "one").await.unwrap().unwrap();
        assert_eq!(kv.put(key, 0, "two").await.unwrap(), None);
        let second = kv.put(key, first, "two").await.unwrap().unwrap();
        assert!(second > first);
        assert_eq!(kv.put(key, first, "three").await.unwrap(), None);
        let there = kv.get(key).await.unwrap().unwrap();
        assert_eq!((there.revision, &there.bytes[..], there.key.as_str()), (second, &b"two"[..], key));
        kv.put("other", 0, "four").await.unwrap().unwrap();
        let mut all: Vec<_> = kv.all().await.unwrap().into_iter().map(|value| value.key).collect();
        all.sort();
        assert_eq!(all, ["other", key]);
        assert!(Kv::open(&space, "a.b", KvOptions::default()).await.is_err());
    });
}

#[test]
fn who_watches_has_what_is_there_and_what_comes() {
    run(async {
        let mut servers = Servers::start(1);
        let space = Space::connect(&servers.url(), Options::new("kv")).await.unwrap();
        let kv = Kv::open(&space, "leases", KvOptions::default()).await.unwrap();
        let a = kv.put("a", 0, "1").await.unwrap().unwrap();
        kv.put("a", a, "2").await.unwrap().unwrap();
        kv.put("b", 0, "3").await.unwrap().unwrap();
        let mut watch = Box::pin(kv.watch().await.unwrap());
        let mut next = async || loop {
            let next = tokio::time::timeout(Duration::from_secs(30), watch.next()).await.unwrap().unwrap();
            if let Ok(value) = next {
                return (value.key, String::from_utf8(value.bytes.to_vec()).unwrap());
            }
        };
        assert_eq!(next().await, ("a".to_owned(), "2".to_owned()));
        assert_eq!(next().await, ("b".to_owned(), "3".to_owned()));
        kv.put("c", 0, "4").await.unwrap().unwrap();
        assert_eq!(next().await, ("c".to_owned(), "4".to_owned()));
        // Also after the server was away.
        servers.kill(0);
        servers.run(0);
        let put = async || match kv.put("d", 0, "5").await {
            Ok(_) => true,
            Err(_) => kv.get("d").await.is_ok_and(|there| there.is_some()),
        };
        while !put().await {
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
        while next().await != ("d".to_owned(), "5".to_owned()) {}
    });
}

/// What was in a server's memory is gone with it: the set is there again, empty.
#[test]
fn a_set_that_is_gone_is_made_again() {
    run(async {
        let mut servers = Servers::start(1);
        let space = Space::connect(&servers.url(), Options::new("kv")).await.unwrap();
        let options = KvOptions { in_memory: true, ..KvOptions::default() };
        let kv = Kv::open(&space, "counters", options).await.unwrap();
        let old = kv.put("a", 0, "1").await.unwrap().unwrap();
        let eventually = async |kv: &Kv| {
            let mut tries = 0;
            loop {
                match kv.get("a").await {
                    Ok(there) => return there,
                    Err(error) => assert!(tries < 100, "{error}"),
                }
                tries += 1;
                tokio::time::sleep(Duration::from_millis(100)).await;
            }
        };
        servers.kill(0);
        servers.run(0);
        assert_eq!(eventually(&kv).await, None);
        assert_eq!(kv.put("a", old, "2").await.unwrap(), None, "over what is gone");
        assert!(kv.put("a", 0, "2").await.unwrap().is_some());
        // Also for one that only puts.
        servers.kill(0);
        servers.run(0);
        let mut tries = 0;
        loop {
            match kv.put("b", 0, "1").await {
                Ok(put) => break assert!(put.is_some()),
                Err(error) => assert!(tries < 20, "{error}"),
            }
            tries += 1;
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
    });
}

#[test]
fn what_nobody_puts_again_is_forgotten() {
    run(async {
        let servers = Servers::start(1);
        let space = Space::connect(&servers.url(), Options::new("kv")).await.unwrap();
        let options = KvOptions { forget_after: Some(Duration::from_secs(1)), in_memory: true };
        let kv = Kv::open(&space, "counters", options).await.unwrap();
        kv.put("a", 0, "1").await.unwrap().unwrap();
        assert!(kv.get("a").await.unwrap().is_some());
        while kv.get("a").await.unwrap().is_some() {
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        assert!(kv.put("a", 0, "2").await.unwrap().is_some());
    });
}
