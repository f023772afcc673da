//! The page's scripts and styles made small (the worker's stay readable, for tests that make them hang): half the bytes of what wasm-bindgen writes are names and white space, and a fifth of what is sent.

use std::path::PathBuf;

use anyhow::{Context, Result};

use crate::env::Env;
use crate::{setup, shell};

/// Reads a text of a kind from standard input and prints it made small. Names that others may use stay.
const PROGRAM: &str = "const [esbuild, loader] = process.argv.slice(1); \
    const text = require('fs').readFileSync(0, 'utf8'); \
    const options = { loader, minify: true, charset: 'utf8', legalComments: 'none', logLevel: 'silent' }; \
    process.stdout.write(require(esbuild).transformSync(text, options).code);";

/// esbuild.
pub struct Minifier {
    env: Env,
    folder: PathBuf,
    version: &'static str,
}

impl Minifier {
    /// It, where it can be had.
    pub fn of(env: &Env) -> Option<Self> {
        setup::esbuild(env).map(|(folder, version)| Self { env: env.clone(), folder, version })
    }

    /// What it is: another one makes other bytes of the same text.
    pub fn version(&self) -> &str {
        self.version
    }

    /// A script, small.
    pub fn script(&self, text: &str) -> Result<String> {
        self.run("js", text)
    }

    /// Styles, small.
    pub fn style(&self, text: &str) -> Result<String> {
        self.run("css", text)
    }

    fn run(&self, kind: &str, text: &str) -> Result<String> {
        let mut node = self.env.command("node");
        node.arg("-e").arg(PROGRAM).arg(&self.folder).arg(kind);
        shell::through(&mut node, text).with_context(|| format!("esbuild could not make {kind} small"))
    }
}
