//! The `satchel` command.

mod chat;
mod photos;
mod rehearse;
mod run;
mod serve;
mod serve_api;
mod trips;

use std::collections::BTreeMap;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Context;
use clap::{Parser, Subcommand};

/// An assistant whose tools live in your browser.
#[derive(Parser)]
#[command(name = "satchel", version, propagate_version = true)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Serve the built app, and models to it.
    ///
    /// Upstreams come from the configuration file (see satchel.example.toml) and from the environment:
    /// OPENAI_API_KEY, OPENROUTER_API_KEY, OLLAMA_HOST, and for any other OpenAI-compatible server
    /// SATCHEL_UPSTREAM_{NAME}_URL, _KEY and _MODELS. The built-in model needs none of them.
    Serve(serve::Serve),
    /// Serve to-dos on this machine to other programs, by the Model Context Protocol.
    ///
    /// The same tools as in the browser, over files in a folder of their own; what is in the browser stays there.
    /// With --stdio for a client that starts this program, with --http for one that connects to it.
    Mcp(Mcp),
    /// Talk to the assistant in this terminal.
    ///
    /// The same agent and the same tools as in the browser, over the files of `satchel mcp`; what is in the browser stays
    /// there. What it may not do by itself it asks; without a terminal to ask, that is a no.
    Chat(chat::Options),
    /// Serve the assistant over HTTP to other programs.
    ///
    /// Sessions, messages that are answered as a stream of events, questions: docs/api.md says how. What was taken is answered also
    /// when this is killed in the middle: the next start goes on.
    Api(serve_api::Options),
    /// Bring photos of this machine in, for the photo tools of `chat` and `mcp`.
    Photos(photos::Options),
    /// Plan trips: talk about one, list and show them, check them, take them along.
    Trip(trips::Options),
    /// Play whole conversations before anyone has them.
    ///
    /// Scenarios are files (docs/rehearsal.md): a simulated client, the assistant, tools over a database that is thrown away, and what
    /// must be so afterwards. Ends with 1 where too few passed, with 2 where files are wrong.
    Rehearse(Box<rehearse::Options>),
    /// One process of `rehearse`, which starts it itself.
    #[command(hide = true)]
    RehearseWorker,
    /// Play a saved conversation again.
    ///
    /// No model is asked and no tool is called: what the agent makes of their recorded answers is compared with what it
    /// made of them then. Ends with 1 at the first difference.
    Run(run::Options),
}

#[derive(clap::Args)]
#[command(group = clap::ArgGroup::new("transport").required(true))]
struct Mcp {
    /// Speak over standard input and output
    #[arg(long, group = "transport")]
    stdio: bool,
    /// Speak over HTTP, at /mcp
    #[arg(long, group = "transport")]
    http: bool,
    /// The folder of the to-dos [default: satchel in the person's data folder]
    #[arg(long)]
    data: Option<PathBuf>,
    /// With --http: the port to listen on; 0 takes any free one
    #[arg(long, default_value_t = 8090)]
    port: u16,
    /// With --http: an origin whose pages may call, beside this machine's own; may be given again
    #[arg(long)]
    origin: Vec<String>,
}

fn main() -> anyhow::Result<ExitCode> {
    let Cli { command } = Cli::parse();
    let is_well = match command {
        Command::Serve(options) => many_threads()?.block_on(serve::serve(options)).map(|()| true),
        Command::Mcp(options) if options.stdio => stdio(options).map(|()| true),
        Command::Mcp(options) => many_threads()?.block_on(http(options)).map(|()| true),
        Command::Chat(options) => {
            let folder = data_folder(options.talk.data.clone())?;
            on_this_thread(chat::chat(options, &folder))
        }
        Command::Api(options) => {
            many_threads()?.block_on(async { serve_api::serve(options, stop_signal()?).await }).map(|()| true)
        }
        Command::Photos(options) => {
            let folder = data_folder(options.data())?;
            on_this_thread(photos::photos(options, &folder))
        }
        Command::Trip(options) => {
            let folder = data_folder(options.data())?;
            on_this_thread(trips::trips(options, &folder))
        }
        Command::Rehearse(options) => {
            return on_this_thread(async { Ok(rehearse::rehearse(*options).await) });
        }
        Command::RehearseWorker => rehearse::worker::work().map(|()| true),
        Command::Run(options) => run::run(&options),
    };
    Ok(if is_well? { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Runs what is not for several threads.
fn on_this_thread<T>(work: impl Future<Output = anyhow::Result<T>>) -> anyhow::Result<T> {
    let runtime =
        tokio::runtime::Builder::new_current_thread().enable_all().build().context("no async runtime")?;
    let done = tokio::task::LocalSet::new().block_on(&runtime, work);
    // A read of standard input cannot be called back.
    runtime.shutdown_background();
    done
}

fn many_threads() -> anyhow::Result<tokio::runtime::Runtime> {
    tokio::runtime::Builder::new_multi_thread().enable_all().build().context("no async runtime")
}

fn data_folder(data: Option<PathBuf>) -> anyhow::Result<PathBuf> {
    data.map_or_else(|| local::data_folder().context("where are the to-dos?"), Ok)
}

/// Speaks to whoever started us, until they close our input.
fn stdio(options: Mcp) -> anyhow::Result<()> {
    let folder = data_folder(options.data)?;
    on_this_thread(async {
        let server = local::open_for_programs(&folder)
            .await
            .with_context(|| format!("cannot open {}", folder.display()))?;
        local::stdio(server, tokio::io::stdin(), tokio::io::stdout()).await.context("the client's pipe broke")
    })
}

async fn http(options: Mcp) -> anyhow::Result<()> {
    let folder = data_folder(options.data)?;
    let stop = stop_signal()?;
    let server = local::Handle::start(move || async move {
        local::open_for_programs(&folder)
            .await
            .map_err(|error| format!("cannot open {}: {error}", folder.display()))
    });
    let server = server.await?;
    let address = SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), options.port);
    let policy = local::Policy { origins: options.origin };
    let running = local::http(server.clone(), address, policy)
        .await
        .with_context(|| format!("cannot use {address}"))?;
    println!("MCP is at http://{}/mcp  (Ctrl-C stops it)", running.local_addr());
    let ended = running.until(stop).await;
    server.close().await;
    Ok(ended?)
}

/// The environment's variables. One that is no text is nobody's key.
fn environment() -> BTreeMap<String, String> {
    std::env::vars_os()
        .filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)))
        .collect()
}

/// Done at Ctrl-C or SIGTERM; a second one ends the process at once, streams or not.
fn stop_signal() -> anyhow::Result<impl Future<Output = ()>> {
    let mut signals = Signals::new()?;
    Ok(async move {
        signals.next().await;
        eprintln!("Stopping: running streams have a few seconds. Again to stop at once.");
        tokio::spawn(async move {
            signals.next().await;
            std::process::exit(130);
        });
    })
}

#[cfg(unix)]
struct Signals {
    interrupt: tokio::signal::unix::Signal,
    terminate: tokio::signal::unix::Signal,
}

#[cfg(unix)]
impl Signals {
    fn new() -> anyhow::Result<Self> {
        use tokio::signal::unix::{SignalKind, signal};
        Ok(Self { interrupt: signal(SignalKind::interrupt())?, terminate: signal(SignalKind::terminate())? })
    }

    async fn next(&mut self) {
        tokio::select! {
            _ = self.interrupt.recv() => {}
            _ = self.terminate.recv() => {}
        }
    }
}

#[cfg(not(unix))]
struct Signals;

#[cfg(not(unix))]
impl Signals {
    fn new() -> anyhow::Result<Self> {
        Ok(Self)
    }

    async fn next(&mut self) {
        // Without a console there is no such signal, and nothing to wait for.
        if tokio::signal::ctrl_c().await.is_err() {
            std::future::pending().await
        }
    }
}
