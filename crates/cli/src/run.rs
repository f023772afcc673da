//! `satchel run`: a saved conversation, played again.

use std::path::PathBuf;

use agent::{Replay, RunFile};
use anyhow::Context;
use terminal::{print, write};

#[derive(clap::Args)]
pub struct Options {
    /// A conversation saved by the app or by `satchel chat --save`
    file: PathBuf,
}

/// Plays it and shows it. True when all of it came out as it was.
///
/// # Errors
/// When there is no such file, or it is no saved conversation.
pub fn run(options: &Options) -> anyhow::Result<bool> {
    let path = options.file.display();
    let text = std::fs::read_to_string(&options.file).with_context(|| format!("cannot read {path}"))?;
    let file = RunFile::from_json(&text).with_context(|| format!("cannot read {path}"))?;
    let mut replay = Replay::new(&file);
    let difference = loop {
        match replay.advance() {
            Ok(true) => {}
            Ok(false) => break None,
            Err(difference) => break Some(difference),
        }
    };
    print(replay.state());
    let (played, all) = replay.progress();
    let Some(difference) = difference else {
        write(&format!("Played {played} of {all} entries again: all as they were.\n"));
        return Ok(true);
    };
    let words = |body: &Option<agent::EntryBody>| {
        body.as_ref().map_or_else(|| Ok("nothing".to_owned()), serde_json::to_string)
    };
    write(&format!(
        "Entry {} of {all} is not what it was.\n  then: {}\n  now:  {}\n",
        difference.at + 1,
        words(&difference.recorded)?,
        words(&difference.replayed)?
    ));
    Ok(false)
}
