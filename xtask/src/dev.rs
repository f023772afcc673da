//! `cargo xtask dev`: serve, and rebuild what changed.

use std::path::Path;
use std::process::Child;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::sleep;
use std::time::Duration;

use anyhow::{Context, Result};

use crate::build::{self, Inputs, Profile, Target};
use crate::env::Env;
use crate::serve::{self, Address};
use crate::workspace::Workspace;

/// How often to look.
const LOOK_MS: u64 = 400;

/// A server that ends with us.
struct Gateway(Child);

impl Drop for Gateway {
    fn drop(&mut self) {
        // It may have ended by itself, or by the same ctrl-c.
        let _gone = self.0.kill();
        let _code = self.0.wait();
    }
}

/// Builds, serves and watches until interrupted.
pub fn dev(env: &mut Env, address: &Address) -> Result<()> {
    let stop = Arc::new(AtomicBool::new(false));
    let stopped = Arc::clone(&stop);
    ctrlc::set_handler(move || stopped.store(true, Ordering::Relaxed)).context("cannot listen for ctrl-c")?;

    let dist = build::app(env, address.app.as_deref(), Profile::Dev)?;
    let mut gateway = start(env, address, &dist)?;
    let (mut app_seen, mut gateway_seen) = look(env, address)?;
    println!("Watching; ctrl-c ends it.");
    while !stop.load(Ordering::Relaxed) {
        sleep(Duration::from_millis(LOOK_MS));
        let Ok((app, native)) = look(env, address) else { continue };
        if (&app, &native) == (&app_seen, &gateway_seen) {
            continue;
        }
        // Several files are often saved one after the other: wait until it is quiet.
        sleep(Duration::from_millis(LOOK_MS));
        if look(env, address).ok().as_ref() != Some(&(app.clone(), native.clone())) {
            continue;
        }
        if app != app_seen {
            // What does not compile has been shown; the next save tries again.
            match build::app(env, address.app.as_deref(), Profile::Dev) {
                Ok(_) => println!("Reload the page."),
                Err(error) => eprintln!("not rebuilt: {error:#}"),
            }
        }
        if native != gateway_seen {
            // The old one holds the port.
            drop(gateway.take());
            gateway = start(env, address, &dist)?;
        }
        (app_seen, gateway_seen) = (app, native);
    }
    drop(gateway);
    Ok(())
}

/// Compiles and starts the gateway; one that does not compile has been shown, and the next save tries again.
fn start(env: &Env, address: &Address, dist: &Path) -> Result<Option<Gateway>> {
    if let Err(error) = serve::build_gateway(env, false) {
        eprintln!("the gateway is not running: {error:#}");
        return Ok(None);
    }
    let child = address.command(env, dist, false).spawn().context("cannot start the gateway")?;
    Ok(Some(Gateway(child)))
}

type Seen = Vec<(std::path::PathBuf, u64, u128)>;

/// What app and gateway are made from, as it is now.
fn look(env: &Env, address: &Address) -> Result<(Seen, Seen)> {
    let workspace = Workspace::read(env)?;
    let target = Target::of(&workspace, env, address.app.as_deref())?;
    Ok((Inputs::of_app(&workspace, env, &target).glance()?, Inputs::of_gateway(&workspace, env).glance()?))
}
