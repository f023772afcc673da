//! The contract suite of every journal, on a real server.
use std::sync::LazyLock;
use std::sync::atomic::{AtomicUsize, Ordering};

use jetstream::{JetStreamBlobs, JetStreamJournal, Options, Space};

use crate::contract::{self, Place};
use nats::Servers;

/// One for all tests, each with journals of its own.
static SERVERS: LazyLock<Servers> = LazyLock::new(|| Servers::start(1));

static JOURNALS: AtomicUsize = AtomicUsize::new(0);

/// A journal of its own.
struct OnServer(String);

impl OnServer {
    fn new() -> Self {
        Self(format!("j{}", JOURNALS.fetch_add(1, Ordering::Relaxed)))
    }

    async fn space() -> Space {
        Space::connect(&SERVERS.url(), Options::new("contract")).await.unwrap()
    }
}

impl Place for OnServer {
    type Journal = JetStreamJournal;
    type Blobs = JetStreamBlobs;
    const IS_SLOW: bool = true;

    async fn connect(&self) -> JetStreamJournal {
        JetStreamJournal::open(&Self::space().await, &self.0).unwrap()
    }

    async fn blobs(&self) -> JetStreamBlobs {
        JetStreamBlobs::new(&Self::space().await, &self.0)
    }

    async fn empty(&self) {
        let client = async_nats::connect(SERVERS.url()).await.unwrap();
        let context = async_nats::jetstream::new(client);
        let stream = context.get_stream("SATCHEL-contract").await.unwrap();
        stream.purge().filter(format!("satchel.contract.{}.*", self.0)).await.unwrap();
        let bucket = context.get_object_store("SATCHEL-contract").await.unwrap();
        drop(bucket.delete(format!("{}/snapshot", self.0)).await);
    }

    fn another(&self, _: usize) -> Self {
        Self::new()
    }
}

macro_rules! on_server {
    (#[$test:meta] $name:ident) => {
        #[$test]
        fn $name() {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
            runtime.block_on(contract::$name(OnServer::new()));
        }
    };
}

contract!(
    #[test]
    on_server
);

/// What memory, IndexedDB and a folder end up with too (issue 18, acceptance 3).
#[test]
#[ignore = "takes minutes: `cargo xtask soak`"]
fn a_thousand_operations_at_random_leave_the_same_soak_on_nats() {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(contract::a_thousand_operations_at_random_leave_the_same(OnServer::new()));
}
