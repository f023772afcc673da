//! `satchel api`: the agent over HTTP (docs/api.md).

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context as _;
use api::{Cluster, Limits, ModelChoice, NowMs, Shelves, Spending, Tokens};
use api_nats::{NatsCluster, Timing};
use llm::{Price, ToolUse};

use crate::chat::{BUILT_IN, INSTRUCTIONS, found, micro_usd, price};

/// Tokens in place of a file, a line each.
const TOKENS: &str = "SATCHEL_API_TOKENS";

/// The name of the file with the tokens, where none is named.
const TOKEN_FILE: &str = "tokens";

#[derive(clap::Args)]
pub struct Options {
    /// The folder of everything: to-dos and sessions of each owner of a token [default: satchel-api in the person's data folder]
    #[arg(long)]
    dir: Option<PathBuf>,
    /// The port to listen on; 0 takes any free one
    #[arg(long, default_value_t = 8092)]
    port: u16,
    /// The address to listen on; anything but loopback is for a proxy in front that speaks TLS
    #[arg(long, default_value_t = IpAddr::V4(Ipv4Addr::LOCALHOST))]
    host: IpAddr,
    /// The file with the tokens, a line `name:token` each; where it is missing a token is made and shown once. The variable
    /// SATCHEL_API_TOKENS is read in its place where it is set [default: tokens in the folder]
    #[arg(long, value_name = "FILE")]
    token_file: Option<PathBuf>,
    /// A host name that it is called by, beside localhost and addresses; may be given again
    #[arg(long, value_name = "NAME")]
    host_name: Vec<String>,
    /// An origin whose pages may call; may be given again
    #[arg(long)]
    origin: Vec<String>,
    /// The model: builtin, or UPSTREAM/MODEL as in the configuration file
    #[arg(long, default_value = BUILT_IN)]
    model: String,
    /// How the model gets its tools: its own, described to it with answers as JSON, or the second where it has none
    #[arg(long, default_value = ToolUse::default().name(), value_parser = ToolUse::ALL.map(ToolUse::name))]
    tools: String,
    /// What the model costs: dollars per million tokens, sent/answered [default: the listed price]
    #[arg(long, value_name = "SENT/ANSWERED", value_parser = price)]
    price: Option<Price>,
    /// The most a session may cost, in US dollars
    #[arg(long, value_name = "DOLLARS", value_parser = micro_usd, default_value = "2")]
    limit: u64,
    /// The same for all sessions of an itinerary
    #[arg(long, value_name = "DOLLARS", value_parser = micro_usd, default_value = "10")]
    itinerary_limit: u64,
    /// The same for an owner in a calendar month
    #[arg(long, value_name = "DOLLARS", value_parser = micro_usd, default_value = "50")]
    month_limit: u64,
    /// The most messages in a minute for each owner
    #[arg(long, value_name = "COUNT", default_value_t = Limits::default().messages_per_minute)]
    messages_per_minute: u32,
    /// The configuration file with the models; it may be missing
    #[arg(long, default_value = "satchel.toml")]
    config: PathBuf,
    /// Servers of NATS JetStream that keep everything in place of the folder, so that several servers of this share it:
    /// nats://host:4222, several with commas between (docs/api.md). A password belongs into the variable, where no other program sees it
    #[arg(long, value_name = "URLS", requires = "advertise", env = "SATCHEL_NATS", hide_env_values = true)]
    nats: Option<String>,
    /// The name of what they share: letters, digits, - and _
    #[arg(long, value_name = "NAME", default_value = "satchel", requires = "nats")]
    nats_space: String,
    /// On how many servers of NATS each message is: 1, 3 or 5
    #[arg(long, value_name = "COUNT", default_value_t = 1, requires = "nats")]
    replicas: usize,
    /// Where the other servers reach this one: http://host:port
    #[arg(long, value_name = "URL", requires = "nats", value_parser = advertised)]
    advertise: Option<String>,
    /// How long a server that is not heard of keeps what it has, in milliseconds; the same for all
    #[arg(long, value_name = "MS", default_value_t = 6_000, hide = true)]
    lease_ms: u64,
}

/// An address without a path.
fn advertised(text: &str) -> Result<String, String> {
    let address = text.trim_end_matches('/');
    match address.strip_prefix("http://") {
        Some(host) if !host.is_empty() && !host.contains(['/', '?', '#', '@']) => Ok(address.to_owned()),
        _ => Err("it is http://host:port, as the other servers reach it".to_owned()),
    }
}

/// The host of an address, without its port.
fn host(address: &str) -> &str {
    let host = address.trim_start_matches("http://");
    host.rsplit_once(':').map_or(host, |(host, _)| host)
}

/// Serves until `stop` resolves.
///
/// # Errors
/// When the folder, the tokens, the model or the address cannot be used.
pub async fn serve(options: Options, stop: impl Future<Output = ()>) -> anyhow::Result<()> {
    let folder = match options.dir {
        Some(folder) => folder,
        None => local::data_folder().context("where are the sessions?")?.with_file_name("satchel-api"),
    };
    let (tokens, made) = match std::env::var(TOKENS) {
        Ok(text) if !text.trim().is_empty() => (Tokens::read(&text).context(TOKENS)?, None),
        _ => Tokens::in_file(&options.token_file.unwrap_or_else(|| folder.join(TOKEN_FILE)))?,
    };
    let model = match found(&options.model, &options.config, &options.tools, options.price).await? {
        None => ModelChoice::BuiltIn,
        Some(remote) => ModelChoice::Remote(Box::new(remote)),
    };
    let spending = Spending {
        session: Some(options.limit),
        itinerary: Some(options.itinerary_limit),
        month: Some(options.month_limit),
    };
    let limits = Limits { spending, messages_per_minute: options.messages_per_minute, ..Limits::default() };
    let mut hosts = options.host_name;
    let cluster = match options.nats.zip(options.advertise) {
        None => None,
        Some((servers, address)) => {
            // The others call it so.
            hosts.push(host(&address).to_owned());
            let joins = api_nats::Options {
                servers,
                space: options.nats_space,
                replicas: options.replicas,
                address,
                timing: Timing { lease_for: Duration::from_millis(options.lease_ms) },
            };
            let joined = NatsCluster::start(joins, tokens.owners()).await.context("--nats")?;
            Some(Arc::new(joined) as Arc<dyn Cluster>)
        }
    };
    let running = api::serve(api::Options {
        folder,
        address: SocketAddr::new(options.host, options.port),
        tokens,
        model,
        instructions: INSTRUCTIONS.to_owned(),
        hosts,
        origins: options.origin,
        limits,
        clock: NowMs::default(),
        shelves: Shelves::default(),
        cluster,
    })
    .await?;
    if let Some(token) = made {
        println!("The token of this server, shown this once: {token}");
    }
    let address = running.local_addr();
    println!("The API is at http://{address}/v1  (Ctrl-C stops it)");
    if !address.ip().is_loopback() {
        eprintln!("Note: this is no TLS. Whoever reads along on the way has the tokens.");
    }
    running.until(stop).await;
    Ok(())
}
