//! `satchel photos`: photos of a folder, looked at on this machine, for the tools of `satchel chat` and `satchel mcp`; and out again
//! ([`export`]).
//!
//! Files are looked at on threads ([`look`]) and told to the tool server on this one, as the page tells them to its own: in batches, each
//! a change that can be undone. Originals stay where they are.

mod export;
mod files;
#[cfg(test)]
mod hostile;
mod look;
mod nets;
mod progress;
mod room;
mod twins;

use std::collections::HashMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;

use anyhow::{Context as _, anyhow, bail};
use futures::stream;
use serde_json::{Value, json};
use store::{Blobs as _, FolderBlobs};
use terminal::{Todos, write};
use tokio::sync::mpsc;

use files::{Files, files_in};
use look::{Look, Looker, Seen, There};
use nets::Nets;
use progress::{Count, Line};

/// So many photos are told to the tools at once: what a crash loses is looked at again.
const BATCH: usize = 25;

/// The most threads that look.
const MOST_THREADS: usize = 4;

/// How many files that were looked at wait to be told. Then the threads wait, too.
const WAITING: usize = 64;

/// Why a file is not taken at which a decoder panicked.
const FAILED: &str = "This program failed at it; that is a fault of its own.";

/// `satchel photos`.
#[derive(clap::Args)]
pub struct Options {
    #[command(subcommand)]
    command: Command,
}

#[derive(clap::Subcommand)]
enum Command {
    /// Bring the photos of a folder in, and of the folders in it.
    ///
    /// They are looked at on this machine and nothing leaves it: when and where they were taken, how good they are, how many faces are on
    /// them, what is on them, which are alike. The photo tools of `satchel chat` and `satchel mcp` then find them. The files stay where
    /// they are, untouched and not copied: what is kept is what was seen, and where the file was.
    ///
    /// Faces and tags take two nets, yunet-s.onnx and image-tags.onnx of the folder `models` in Satchel's sources. They are looked for in
    /// --models, else in SATCHEL_MODELS, else in `models` beside this program or beside it. Where one is not found that is said, and all
    /// else is looked at; the same command again, with the nets, looks at the rest.
    ///
    /// The same folder again brings nothing in twice: the same bytes are one photo, under whatever name. A photo in the bin that is
    /// brought in again comes back. Hidden files, and links to folders, are passed over. JPEG, PNG, WebP and the first picture of a GIF
    /// are looked at, up to 64 megapixels and 200 MB of memory; of larger ones and of HEIC, AVIF, TIFF and BMP only what the camera wrote
    /// is known. What cannot be taken, because it is damaged or no picture or larger than 200 MB, is named at the end (20 files at
    /// most) and stops nothing.
    ///
    /// It takes all but one of the processor's cores, at most 4. Ctrl-C stops it after the photos in hand; what came in stays, and the same
    /// command goes on with the rest. A second Ctrl-C ends it at once.
    Add(Add),
    /// Copy photos into a folder, without their places.
    ///
    /// The photos are those that the photo tools know: all of them, or those of an album. Each is copied under its own name; a file that is
    /// there already is never written over, the new one gets a number. JPEG, PNG, WebP, GIF and BMP are copied without decoding: their
    /// pixels, colours, date and camera stay, and what says where they were taken goes, with all that may say it elsewhere in the file (XMP,
    /// IPTC, a maker's notes, what stands behind the end). HEIC, AVIF and TIFF are left out and named: with --with-places all are copied as
    /// they are, byte for byte. With --small each becomes a JPEG of 2048 pixels at most, with nothing but pixels in it.
    ///
    /// Ctrl-C stops it after the photo in hand.
    Export(export::Export),
}

#[derive(clap::Args)]
struct Add {
    /// The folder with the photos
    #[arg(value_name = "DIR")]
    folder: PathBuf,
    /// The folder with the nets [default: models beside this program]
    #[arg(long, value_name = "DIR", env = "SATCHEL_MODELS", hide_env_values = true)]
    models: Option<PathBuf>,
    /// The folder that chat and mcp use [default: satchel in the person's data folder]
    #[arg(long, value_name = "DIR")]
    data: Option<PathBuf>,
}

impl Options {
    /// Where the data is, as far as it was said.
    pub fn data(&self) -> Option<PathBuf> {
        match &self.command {
            Command::Add(options) => options.data.clone(),
            Command::Export(options) => options.data.clone(),
        }
    }
}

/// Does it. True when it went through all files, whatever could be taken of them. On a thread with a `LocalSet`.
///
/// # Errors
/// When a folder cannot be used, or the tools take no more photos.
pub async fn photos(options: Options, data: &Path) -> anyhow::Result<bool> {
    match options.command {
        Command::Add(options) => add(options, data).await,
        Command::Export(options) => export::export(options, data).await,
    }
}

async fn add(Add { folder, models, .. }: Add, data: &Path) -> anyhow::Result<bool> {
    let shown = folder.display();
    // What is kept says where a file is from wherever the next command is started.
    let folder = folder.canonicalize().with_context(|| format!("cannot find the folder {shown}"))?;
    if !folder.is_dir() {
        bail!("{shown} is no folder: name the one that the photos are in");
    }
    let Files { paths, closed } = files_in(&folder).with_context(|| format!("cannot look into {shown}"))?;
    if paths.is_empty() && closed.is_empty() {
        write(&format!("There are no files in {shown}.\n"));
        return Ok(true);
    }
    let is_stopped = stop_at_a_signal();
    let (count, result) =
        bring(&folder, Files { paths, closed }, models.as_deref(), data, &is_stopped).await?;
    let is_stopped = is_stopped.load(Ordering::Relaxed);
    write(&count.summary(is_stopped));
    result.map(|()| !is_stopped)
}

/// Brings the files of a folder in: what became of them, and whether the tools took all that they were told.
///
/// # Errors
/// When the folder of data cannot be used; then nothing was done.
async fn bring(
    folder: &Path,
    Files { paths, closed }: Files,
    models: Option<&Path>,
    data: &Path,
    is_stopped: &Arc<AtomicBool>,
) -> anyhow::Result<(Count, anyhow::Result<()>)> {
    let tools = Todos::open(data).await?;
    let nets = Nets::find(models);
    eprint!("{}", nets.missing);
    let looker = Looker::new(nets, there(&tools).await?);
    let failed = closed.into_iter().map(|(path, why)| (name_in(folder, &path), why)).collect();
    let mut intake = Intake {
        tools: &tools,
        blobs: FolderBlobs::beside(data),
        count: Count { total: paths.len(), failed, ..Count::default() },
        items: Vec::new(),
        looked: Vec::new(),
    };
    let result = match intake.bring_in(folder, paths, Arc::new(looker), is_stopped).await {
        // The next time, then.
        Ok(()) if is_stopped.load(Ordering::Relaxed) => Ok(()),
        Ok(()) => twins::tell(&tools, &intake.blobs).await,
        Err(error) => Err(error),
    };
    let count = intake.count;
    tools.close().await;
    Ok((count, result))
}

/// The photos that are there, by their ids.
async fn there(tools: &Todos) -> anyhow::Result<HashMap<String, There>> {
    let mut grid = called(tools, "photo_grid", json!({})).await?;
    let cells = grid.get_mut("items").map(Value::take);
    let cells = cells.as_ref().and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    let is = |cell: &Value, name: &str| cell.get(name).and_then(Value::as_bool).unwrap_or_default();
    let all = cells.iter().filter_map(|cell| {
        let id = cell.get("id").and_then(Value::as_str)?.to_owned();
        Some((
            id,
            There {
                is_in_bin: is(cell, "in_bin"),
                is_looked_at: is(cell, "looked_at"),
                has_file: !is(cell, "no_file"),
            },
        ))
    });
    Ok(all.collect())
}

/// What a tool of the app's own answers.
async fn called(tools: &Todos, tool: &str, arguments: Value) -> anyhow::Result<Value> {
    tools.by_hand(tool, arguments).await.map_err(|why| anyhow!(why))
}

/// Set at Ctrl-C or SIGTERM; a second one ends the process. On a thread of its own: this one may be busy with numbers.
fn stop_at_a_signal() -> Arc<AtomicBool> {
    let is_stopped = Arc::new(AtomicBool::new(false));
    let told = Arc::clone(&is_stopped);
    let listening = thread::Builder::new().name("signals".into()).spawn(move || {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
        let Ok(runtime) = runtime else { return };
        runtime.block_on(async move {
            let Ok(mut signals) = crate::Signals::new() else { return };
            signals.next().await;
            told.store(true, Ordering::Relaxed);
            eprintln!("\nStopping after the photos in hand. Again to stop at once.");
            signals.next().await;
            std::process::exit(130);
        });
    });
    // Without it a signal ends the process at once, and what was told is kept all the same.
    drop(listening);
    is_stopped
}

/// How many threads look.
fn threads() -> usize {
    let cores = thread::available_parallelism().map_or(1, usize::from);
    cores.saturating_sub(1).clamp(1, MOST_THREADS)
}

/// A file as it is named to a person: by its path in the folder.
fn name_in(folder: &Path, path: &Path) -> String {
    path.strip_prefix(folder).unwrap_or(path).display().to_string()
}

/// What was seen and is told to the tools.
struct Intake<'a> {
    tools: &'a Todos,
    blobs: FolderBlobs,
    count: Count,
    /// For `photo_import`.
    items: Vec<Value>,
    /// For `photo_looked`.
    looked: Vec<Value>,
}

impl Intake<'_> {
    /// Looks at all files and tells what was seen, until the end or until it is stopped.
    async fn bring_in(
        &mut self,
        folder: &Path,
        paths: Vec<PathBuf>,
        looker: Arc<Looker>,
        is_stopped: &Arc<AtomicBool>,
    ) -> anyhow::Result<()> {
        let (paths, next) = (Arc::new(paths), Arc::new(AtomicUsize::new(0)));
        let (sender, mut seen) = mpsc::channel(WAITING);
        for number in 0..threads().min(paths.len()) {
            let (paths, next, looker) = (Arc::clone(&paths), Arc::clone(&next), Arc::clone(&looker));
            let (sender, is_stopped) = (sender.clone(), Arc::clone(is_stopped));
            let work = move || {
                while !is_stopped.load(Ordering::Relaxed)
                    && let Some(path) = paths.get(next.fetch_add(1, Ordering::Relaxed))
                {
                    // A file for which one of the decoders is not prepared: the others come in all the same.
                    let seen = catch_unwind(AssertUnwindSafe(|| looker.look_at(path)))
                        .unwrap_or_else(|_| Seen::NotTaken(FAILED.to_owned()));
                    if sender.blocking_send((path.clone(), seen)).is_err() {
                        return;
                    }
                }
            };
            let started = thread::Builder::new().name("photos".into()).spawn(work);
            // One is enough.
            if let (Err(error), 0) = (started, number) {
                return Err(error).context("the system gives no thread to look at photos with");
            }
        }
        drop(sender);
        let mut line = Line::new();
        while let Some((path, seen)) = seen.recv().await {
            self.take(name_in(folder, &path), seen).await.inspect_err(|_| line.clear())?;
            line.show(&self.count);
        }
        line.clear();
        self.tell(1).await
    }

    async fn take(&mut self, name: String, seen: Seen) -> anyhow::Result<()> {
        self.count.done += 1;
        match seen {
            Seen::Known => self.count.known += 1,
            Seen::NotTaken(why) => self.count.failed.push((name, why)),
            Seen::New { mut item, look } => {
                item["seen"] = self.kept(name, look).await?;
                self.items.push(item);
            }
            Seen::Again { id, look } => {
                let seen = self.kept(name, look).await?;
                self.looked.push(json!({ "id": id, "seen": seen }));
            }
        }
        self.tell(BATCH).await
    }

    /// What was seen, its features kept: before the row that names them.
    async fn kept(&mut self, name: String, look: Look) -> anyhow::Result<Value> {
        let Look { mut seen, features, trouble } = look;
        if !trouble.is_empty() {
            self.count.unseen.push((name, trouble));
        }
        if !features.is_empty() {
            let hash = self.blobs.write(Box::pin(stream::iter([Ok(features)]))).await?;
            seen["features"] = json!(hash.reference());
        }
        Ok(seen)
    }

    /// Tells what was seen, where there are so many of it.
    async fn tell(&mut self, least: usize) -> anyhow::Result<()> {
        if self.items.len() >= least {
            let items = std::mem::take(&mut self.items);
            let answer = called(self.tools, "photo_import", json!({ "items": items })).await?;
            let number = |name: &str| answer.get(name).and_then(Value::as_u64).unwrap_or_default() as usize;
            self.count.new += number("new");
            self.count.back += number("back");
            self.count.known += number("known");
            self.count.whole += number("whole");
        }
        if self.looked.len() >= least {
            let items = std::mem::take(&mut self.looked);
            self.count.looked_again += items.len();
            called(self.tools, "photo_looked", json!({ "items": items })).await?;
        }
        Ok(())
    }
}
