//! Chromium and its driver, for tests and pictures.

use std::path::PathBuf;

use anyhow::Result;

use super::{cannot_get, packages};
use crate::env::Env;
use crate::shell;

/// Two programs that fit each other.
pub struct Browser {
    /// The browser.
    pub chromium: PathBuf,
    /// The program that steers it.
    pub chromedriver: PathBuf,
}

/// What `CHROMIUM` and `CHROMEDRIVER` name, what `PATH` has, or what the system's packages bring.
pub fn find_or_install(env: &Env) -> Result<Browser> {
    if let Some(browser) = find() {
        return Ok(browser);
    }
    let installed = shell::step("installing Chromium and chromedriver", "1 min", || {
        packages::install(env, &["chromium", "chromium-driver"])
    });
    let why = match (installed, find()) {
        (_, Some(browser)) => return Ok(browser),
        (Err(error), None) => error,
        (Ok(()), None) => anyhow::anyhow!("the packages are installed, but the programs are not on PATH"),
    };
    let how = "Debian: apt-get install chromium chromium-driver\n    elsewhere: Chrome or Chromium, and the chromedriver of the same version;\n    then set CHROMIUM and CHROMEDRIVER to their paths if they are not on PATH";
    Err(cannot_get("Chromium with chromedriver", &why, how))
}

fn find() -> Option<Browser> {
    let chromium =
        named("CHROMIUM", &["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"])?;
    let chromedriver = named("CHROMEDRIVER", &["chromedriver"])?;
    Some(Browser { chromium, chromedriver })
}

/// The program that `variable` names, else the first of `programs` on `PATH`.
fn named(variable: &str, programs: &[&str]) -> Option<PathBuf> {
    if let Some(path) = std::env::var_os(variable) {
        return Some(PathBuf::from(path));
    }
    let path = std::env::var_os("PATH")?;
    let folders: Vec<PathBuf> = std::env::split_paths(&path).collect();
    programs
        .iter()
        .flat_map(|program| folders.iter().map(move |folder| folder.join(program)))
        .find(|file| file.is_file())
}
