//! What is kept of an owner, as one process after the other has it, on a real server of NATS.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test that fails here has failed")]

mod on_nats {
    use std::rc::Rc;
    use std::time::Duration;

    use api::{Cluster, Holder, Home};
    use api_nats::{NatsCluster, Options, Timing};
    use nats::Servers;
    use store::{CallKey, Change, Durability, Journal, Json, Op, StoreError};
    use tokio::task::LocalSet;
    use tokio::time::{Instant, timeout};

    const PATIENCE: Duration = Duration::from_secs(30);
    const LEASE: Duration = Duration::from_millis(1_500);

    async fn join(servers: &Servers, number: usize) -> NatsCluster {
        let options = Options {
            servers: servers.url(),
            space: "test".to_owned(),
            replicas: 1,
            address: format!("http://127.0.0.1:{number}/"),
            timing: Timing { lease_for: LEASE },
        };
        NatsCluster::start(options, &["anna".to_owned(), "bert".to_owned()]).await.unwrap()
    }

    /// The token by which a process has an owner, once it has.
    async fn held(cluster: &NatsCluster, owner: &str) -> u64 {
        let mut holder = cluster.holder(owner);
        let here = holder.wait_for(|holder| matches!(holder, Holder::Here { .. }));
        match *timeout(PATIENCE, here).await.expect("nobody takes it").unwrap() {
            Holder::Here { token } => token,
            _ => unreachable!(),
        }
    }

    /// A change of a session's journal.
    fn change(rev: u64) -> Rc<Change> {
        let after = Some(Json::of(&rev).unwrap());
        Rc::new(Change {
            rev,
            key: CallKey(format!("key{rev}")),
            at_ms: 0,
            tool: "test".to_owned(),
            ops: vec![Op { table: "t".to_owned(), id: "x".to_owned(), before: None, after }],
            reply: Json::of(&()).unwrap(),
            undoes: Vec::new(),
            redo: false,
            erases: Vec::new(),
            body_hash: None,
            instance: None,
        })
    }

    async fn append(journal: &Rc<dyn Journal>, rev: u64) -> Result<(), StoreError> {
        journal.append(&[change(rev)], Durability::Strict).await
    }

    fn id(digit: char) -> String {
        digit.to_string().repeat(32)
    }

    /// What is left of a home whose to-dos are open.
    struct Kept {
        shelf: Rc<dyn api::Shelf>,
        sums: Rc<dyn api::Sums>,
    }

    /// Counts a dollar and what it did cost.
    async fn spend(home: &Kept, cost: u64) -> Result<(), protocol::Failure> {
        let reserved = home.sums.reserve(1_000_000, &|_| Ok(())).await?;
        home.sums.settle(reserved, cost);
        let started = Instant::now();
        while home.sums.spent().is_some_and(|spent| spent >= 1_000_000) && started.elapsed() < PATIENCE {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        Ok(())
    }

    #[tokio::test]
    async fn who_was_replaced_writes_nothing() {
        let test = async {
            let servers = Servers::start(1);
            let first = join(&servers, 1).await;
            let token = held(&first, "anna").await;
            assert!(first.holds("anna", token) && first.is_ready());
            let before = first.home("anna", token).await.unwrap();
            let (kept, going) = (id('a'), id('b'));
            let session = before.shelf.journal(&kept).await.unwrap();
            append(&session, 1).await.unwrap();
            append(&before.shelf.journal(&going).await.unwrap(), 1).await.unwrap();
            before.shelf.forget(&going).await.unwrap();
            let Home { todos, shelf, sums } = before;
            let (todos, before) = (todos.await.unwrap(), Kept { shelf, sums });
            spend(&before, 300_000).await.unwrap();
            // It ends without a word, and what it had opened is still at work.
            drop(first);
            let second = join(&servers, 2).await;
            let next = held(&second, "anna").await;
            assert!(next > token);
            let after = second.home("anna", next).await.unwrap();
            assert_eq!(after.shelf.ids().await.unwrap(), std::slice::from_ref(&kept));
            let Home { todos: next_todos, shelf, sums } = after;
            let (next_todos, after) = (next_todos.await.unwrap(), Kept { shelf, sums });
            let read_on = after.shelf.journal(&kept).await.unwrap();
            assert_eq!(read_on.read(1, u64::MAX).await.unwrap().changes, [(*change(1)).clone()]);
            let refused = |done: Result<(), StoreError>| {
                assert!(matches!(done, Err(StoreError::Unavailable(_))), "{done:?}");
            };
            refused(append(&session, 2).await);
            refused(append(&todos, 1).await);
            refused(before.shelf.forget(&kept).await);
            refused(before.shelf.journal(&id('c')).await.map(drop));
            spend(&before, 0).await.unwrap_err();
            assert!(second.home("anna", token).await.is_err(), "the smaller token opens nothing");
            // And nothing of all that has come between.
            append(&read_on, 2).await.unwrap();
            append(&next_todos, 1).await.unwrap();
            assert_eq!(after.sums.spent(), Some(300_000));
            spend(&after, 200_000).await.unwrap();
            assert_eq!(after.sums.spent(), Some(500_000));
        };
        LocalSet::new().run_until(test).await;
    }

    #[tokio::test]
    async fn two_share_the_owners_and_one_that_goes_gives_them_back() {
        let servers = Servers::start(1);
        let first = join(&servers, 1).await;
        held(&first, "anna").await;
        held(&first, "bert").await;
        // It has more than its share as soon as there is another one.
        let second = join(&servers, 2).await;
        let token = held(&second, "bert").await;
        let there = Holder::There { id: second.id().to_owned(), address: "http://127.0.0.1:2".to_owned() };
        timeout(PATIENCE, first.holder("bert").wait_for(|holder| *holder == there)).await.unwrap().unwrap();
        second.drain();
        assert!(!second.is_ready() && second.holds("bert", token));
        let gone = Instant::now();
        second.release().await;
        held(&first, "bert").await;
        assert!(gone.elapsed() < LEASE, "{:?}", gone.elapsed());
        assert!(!second.holds("bert", token));
    }

    #[tokio::test]
    async fn who_does_not_reach_nats_has_nothing_by_its_own_clock() {
        let mut servers = Servers::start(1);
        let cluster = join(&servers, 1).await;
        let token = held(&cluster, "anna").await;
        servers.kill(0);
        let mut holder = cluster.holder("anna");
        timeout(PATIENCE, holder.wait_for(|holder| *holder == Holder::Nobody)).await.unwrap().unwrap();
        assert!(!cluster.holds("anna", token) && !cluster.is_ready());
        servers.run(0);
        assert!(held(&cluster, "anna").await > token);
    }
}
