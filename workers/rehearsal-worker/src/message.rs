//! What page and worker say to each other: JSON texts.

use std::collections::BTreeMap;

use protocol::{Failure, ModelEvent, ModelRequest};
use rehearsal::{Outcome, Turn};
use serde::{Deserialize, Serialize};

/// What the page says.
#[derive(Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FromPage {
    /// Play this.
    Play(Box<Play>),
    /// A model that was asked says something.
    Event {
        /// The number of the asking.
        id: u32,
        /// What it says.
        event: Box<ModelEvent>,
    },
    /// A model that was asked failed.
    Failed {
        /// The number of the asking.
        id: u32,
        /// How.
        failure: Failure,
    },
    /// A model that was asked has nothing more to say.
    Ended {
        /// The number of the asking.
        id: u32,
    },
}

/// What is to be played.
#[derive(Deserialize)]
pub struct Play {
    /// What the file is called that it is from.
    pub file: String,
    /// The file's text.
    pub text: String,
    /// The scenario of the file; the first without it.
    pub name: Option<String>,
    /// Texts of prompts by their names.
    #[serde(default)]
    pub prompts: BTreeMap<String, String>,
    /// Which repetition, from 1.
    pub repeat: u32,
    /// The name of the model that is chosen in the page; none where that is the built-in one.
    pub chosen: Option<String>,
    /// A model of the page takes part: time is real.
    pub asks_page: bool,
}

/// What the worker says.
#[derive(Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ToPage {
    /// It listens.
    Ready,
    /// A turn is over.
    Turn {
        /// It.
        turn: Box<Turn>,
    },
    /// A model of the page is asked.
    Ask {
        /// The number of the asking.
        id: u32,
        /// What is asked.
        request: Box<ModelRequest>,
    },
    /// Nobody listens to that answer any more.
    Forget {
        /// The number of the asking.
        id: u32,
    },
    /// It was played.
    Done {
        /// What came of it.
        outcome: Box<Outcome>,
        /// The agents' parts of it, as files that the app opens.
        run_files: Vec<String>,
    },
    /// It was not played.
    Broken {
        /// Why, in a sentence.
        why: String,
    },
}
