//! A stream and a bucket: where journals are.

use std::time::Duration;

use async_nats::jetstream::object_store::{self, ObjectStore};
use async_nats::jetstream::stream::{self, DiscardPolicy, RetentionPolicy, StorageType, Stream};
use async_nats::jetstream::{self, Context, ErrorCode};
use async_nats::{Client, ConnectOptions};
use store::StoreError;

use crate::wire;

/// How long a request may take, an election of a leader included.
const PATIENCE: Duration = Duration::from_secs(5);

/// How often the stream and the bucket are asked for before it is said that they cannot be had.
const TRIES: u32 = 5;

/// The same for a stream that is asked for before anything else is.
const PATIENT_TRIES: u32 = 20;

/// The oldest server that keeps what is counted on here.
const OLDEST: (i64, i64) = (2, 10);

/// Within which the server itself knows a message that came before. The record is the truth: its index knows all.
const DOUBLES: Duration = Duration::from_secs(120);

/// How a space is kept.
#[derive(Clone, Debug)]
pub struct Options {
    /// Its name: letters, digits, `-` and `_`. Streams are named `SATCHEL-` and the name.
    pub name: String,
    /// On how many servers each message is before it counts: 1, 3 or 5.
    pub replicas: usize,
    /// How many bytes the journals may take together; unlimited without.
    pub max_bytes: Option<u64>,
}

impl Options {
    /// A space of this name, on one server, without a limit.
    #[must_use]
    pub fn new(name: impl Into<String>) -> Self {
        Self { name: name.into(), replicas: 1, max_bytes: None }
    }
}

/// A stream and a bucket on JetStream. A clone is the same connection.
#[derive(Clone)]
pub struct Space {
    pub(crate) context: Context,
    client: Client,
    options: Options,
}

impl Space {
    /// Connects to servers (`nats://host:4222`, several with commas between) and makes the stream and the bucket where they are not there.
    ///
    /// # Errors
    /// `Other` for a name that cannot be one, or an address that is none; `Unavailable` when no server answers.
    pub async fn connect(servers: &str, options: Options) -> Result<Self, StoreError> {
        Self::over(connected(servers).await?, options).await
    }

    /// The same for a space that holds no journals: values and work alone make what they need themselves.
    ///
    /// # Errors
    /// As [`Self::connect`].
    pub async fn without_journals(servers: &str, options: Options) -> Result<Self, StoreError> {
        check_name("a space", &options.name)?;
        let client = connected(servers).await?;
        Ok(Self { context: context(&client), client, options })
    }

    /// A space over a connection that is there.
    ///
    /// # Errors
    /// As [`Self::connect`].
    pub async fn over(client: Client, options: Options) -> Result<Self, StoreError> {
        check_name("a space", &options.name)?;
        let space = Self { context: context(&client), client, options };
        // Servers that have just come up, or have lost their leader, need a moment to choose one.
        let mut tries = 0;
        loop {
            tries += 1;
            let made = async {
                space.stream().await?;
                space.objects().await
            };
            match made.await {
                Ok(_) => return Ok(space),
                Err(error) if tries == TRIES => return Err(error),
                Err(_) => tokio::time::sleep(Duration::from_millis(500)).await,
            }
        }
    }

    /// The stream, which is made where it is not there.
    pub(crate) async fn stream(&self) -> Result<Stream, StoreError> {
        let config = stream::Config {
            name: self.stream_name(),
            subjects: vec![format!("{}.>", self.root())],
            retention: RetentionPolicy::Limits,
            storage: StorageType::File,
            num_replicas: self.options.replicas,
            max_bytes: self.options.max_bytes.map_or(-1, |bytes| i64::try_from(bytes).unwrap_or(i64::MAX)),
            // What is full refuses; it does not forget.
            discard: DiscardPolicy::New,
            duplicate_window: DOUBLES,
            // What a follower has may be old: a leader answers.
            allow_direct: false,
            ..stream::Config::default()
        };
        self.context.get_or_create_stream(config).await.map_err(wire::failed("the stream"))
    }

    /// A stream of this space, which is made where it is not there. Servers that have just come up need a moment to choose who may make it.
    pub(crate) async fn made(&self, what: &str, config: stream::Config) -> Result<Stream, StoreError> {
        let mut tries = 0;
        loop {
            tries += 1;
            match self.context.get_or_create_stream(config.clone()).await {
                Ok(stream) => return Ok(stream),
                Err(error) if tries == PATIENT_TRIES => return Err(wire::failed(what)(error)),
                Err(_) => tokio::time::sleep(Duration::from_millis(500)).await,
            }
        }
    }

    /// A way to the stream, whether it is there or not: nobody is asked, and what it is asked for then is `Emptied` where it is gone.
    pub(crate) async fn way(&self) -> Result<Stream<()>, StoreError> {
        self.context.get_stream_no_info(self.stream_name()).await.map_err(wire::failed("the stream"))
    }

    /// The stream where it is there; `None` where somebody deleted it.
    pub(crate) async fn stream_if_there(&self) -> Result<Option<Stream>, StoreError> {
        use async_nats::jetstream::context::GetStreamErrorKind::JetStream;
        match self.context.get_stream(self.stream_name()).await {
            Ok(stream) => Ok(Some(stream)),
            Err(error) => match error.kind() {
                JetStream(why) if why.error_code() == ErrorCode::STREAM_NOT_FOUND => Ok(None),
                _ => Err(wire::failed("the stream")(error)),
            },
        }
    }

    /// The bucket, which is made where it is not there.
    pub(crate) async fn objects(&self) -> Result<(ObjectStore, Stream), StoreError> {
        let name = self.stream_name();
        let config = object_store::Config {
            bucket: name.clone(),
            storage: StorageType::File,
            num_replicas: self.options.replicas,
            ..object_store::Config::default()
        };
        if self.context.get_object_store(&name).await.is_err() {
            self.context.create_object_store(config).await.map_err(wire::failed("the object store"))?;
        }
        let stream = self.ask_leaders(&format!("OBJ_{name}")).await?;
        let bucket = self.context.get_object_store(name).await.map_err(wire::failed("the object store"))?;
        Ok((bucket, stream))
    }

    /// The stream with what is said of bytes, the last word of each; it is made where it is not there.
    pub(crate) async fn words(&self) -> Result<Stream, StoreError> {
        let config = stream::Config {
            name: format!("SATCHEL_WORDS-{}", self.options.name),
            subjects: vec![format!("{}.>", self.words_root())],
            max_messages_per_subject: 1,
            storage: StorageType::File,
            num_replicas: self.options.replicas,
            allow_direct: false,
            ..stream::Config::default()
        };
        self.context.get_or_create_stream(config).await.map_err(wire::failed("the words"))
    }

    /// The subject that all words' subjects begin with.
    pub(crate) fn words_root(&self) -> String {
        format!("satchel-words.{}", self.options.name)
    }

    /// Has a bucket's leader answer: what a follower has may be old.
    async fn ask_leaders(&self, stream: &str) -> Result<Stream, StoreError> {
        let stream = self.context.get_stream(stream).await.map_err(wire::failed("a bucket"))?;
        let mut config = stream.cached_info().config.clone();
        if config.allow_direct {
            config.allow_direct = false;
            self.context.update_stream(config).await.map_err(wire::failed("a bucket"))?;
        }
        Ok(stream)
    }

    /// The subject that all journals' subjects begin with.
    pub(crate) fn root(&self) -> String {
        format!("satchel.{}", self.options.name)
    }

    /// Its name.
    pub(crate) fn name(&self) -> &str {
        &self.options.name
    }

    /// What nobody else names a message.
    pub(crate) fn new_id(&self) -> String {
        self.client.new_inbox()
    }

    /// On how many servers each message is.
    pub(crate) fn replicas(&self) -> usize {
        self.options.replicas
    }

    /// How many bytes fit into one message beside its headers.
    pub(crate) fn room(&self) -> usize {
        const HEADERS: usize = 4 * 1024;
        self.client.server_info().max_payload.saturating_sub(HEADERS).clamp(1024, 512 * 1024)
    }

    fn stream_name(&self) -> String {
        format!("SATCHEL-{}", self.options.name)
    }
}

async fn connected(servers: &str) -> Result<Client, StoreError> {
    let options =
        ConnectOptions::new().name("satchel").connection_timeout(PATIENCE).request_timeout(Some(PATIENCE));
    let client = options.connect(addresses(servers)?).await;
    let client =
        client.map_err(|error| StoreError::Unavailable(format!("NATS at {}: {error}", shown(servers))))?;
    // One before it gives a reader of some subjects those of all, and may take two messages that each are to follow the same one.
    if client.is_server_compatible(OLDEST.0, OLDEST.1, 0) {
        return Ok(client);
    }
    let (version, (major, minor)) = (client.server_info().version, OLDEST);
    Err(StoreError::Other(format!(
        "this NATS server is {version}, and {major}.{minor} is the oldest that can be used"
    )))
}

fn context(client: &Client) -> Context {
    jetstream::context::ContextBuilder::new().timeout(PATIENCE).ack_timeout(PATIENCE).build(client.clone())
}

/// Whether a text may name something in a subject.
pub(crate) fn check_name(what: &str, name: &str) -> Result<(), StoreError> {
    if !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte)) {
        return Ok(());
    }
    Err(StoreError::Other(format!("“{name}” cannot name {what}: letters, digits, - and _ can")))
}

/// Addresses without what may be of passwords: where there is one, a comma in it makes pieces of it that look like addresses.
fn shown(servers: &str) -> String {
    if !servers.contains('@') {
        return servers.to_owned();
    }
    let each = servers.split(',').map(|server| {
        let host = server.rsplit_once('@').map_or("", |(_, host)| host);
        format!("…@{host}")
    });
    each.collect::<Vec<_>>().join(",")
}

fn addresses(servers: &str) -> Result<Vec<async_nats::ServerAddr>, StoreError> {
    let read = |text: &str| {
        text.trim().parse().map_err(|error| {
            let all = shown(servers);
            StoreError::Other(format!("“{all}” has something that is no address of a NATS server: {error}"))
        })
    };
    servers.split(',').filter(|text| !text.trim().is_empty()).map(read).collect()
}
