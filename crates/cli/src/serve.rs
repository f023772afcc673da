//! `satchel serve`: the gateway, alone or as one of several.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::sync::Arc;

use anyhow::Context;
use gateway::{Cluster, Config, Counters, Running, Standing};
use gateway_nats::{NatsCounters, Options};

use crate::{environment, stop_signal};

/// What is served, where, and with whom.
#[derive(clap::Args)]
pub struct Serve {
    /// The folder of the built app
    #[arg(long, default_value = "dist")]
    dir: PathBuf,
    /// The port to listen on; 0 takes any free one
    #[arg(long, default_value_t = 8080)]
    port: u16,
    /// The address to listen on; anything but loopback opens your models to the network
    #[arg(long, default_value_t = IpAddr::V4(Ipv4Addr::LOCALHOST))]
    host: IpAddr,
    /// The configuration file; it may be missing
    #[arg(long, default_value = "satchel.toml")]
    config: PathBuf,
    /// NATS servers with JetStream (nats://host:4222, commas between) by which several gateways keep to one limit. A password
    /// belongs into the variable, where no other program sees it
    #[arg(long, value_name = "URLS", env = "SATCHEL_NATS", hide_env_values = true)]
    nats: Option<String>,
}

/// Serves until it is told to stop.
///
/// # Errors
/// A configuration that cannot be used, an address that cannot be had.
pub async fn serve(options: Serve) -> anyhow::Result<()> {
    let mut config = Config::new(options.dir).read(&options.config, &environment())?;
    config.address = SocketAddr::new(options.host, options.port);
    if let Some(nats) = options.nats {
        let cluster = match config.cluster.clone() {
            Some(cluster) => Cluster { nats, ..cluster },
            None => Cluster::at(nats),
        };
        config = config.in_cluster(cluster);
    }
    raise_open_files();
    // Before the address is printed, so that whoever waits for it can already stop us.
    let stop = stop_signal()?;
    let Some(cluster) = config.cluster.clone() else {
        let running = gateway::serve(config).await?;
        announce(&running);
        running.until(stop).await;
        return Ok(());
    };
    let counters = NatsCounters::open(Options::of(&cluster)).await.context("the cluster")?;
    let counters = Arc::new(counters);
    if counters.standing() == Standing::Away {
        eprintln!("Note: NATS cannot be reached yet. Until it is, this gateway keeps to its limits alone.");
    }
    let shared: Arc<NatsCounters> = Arc::clone(&counters);
    let running = gateway::serve_with(config, shared).await?;
    announce(&running);
    running.until(stop).await;
    counters.flush().await;
    Ok(())
}

fn announce(running: &Running) {
    let address = running.local_addr();
    println!("Satchel is at http://{address}/  (Ctrl-C stops it)");
    if let Some(metrics) = running.metrics_addr() {
        println!("Metrics are at http://{metrics}/metrics");
    }
    if !address.ip().is_loopback() {
        eprintln!("Note: everyone who reaches this address can use the models configured here.");
    }
}

/// A stream takes two open files, and many systems begin with 1,024: as many as the system lets us have.
#[cfg(unix)]
fn raise_open_files() {
    use rustix::process::{Resource, getrlimit, setrlimit};
    let mut limit = getrlimit(Resource::Nofile);
    limit.current = limit.maximum;
    // It goes with those there are.
    let _fewer = setrlimit(Resource::Nofile, limit);
}

#[cfg(not(unix))]
fn raise_open_files() {}
