//! What an assistant brings to the page: its pane, its commands, its words for what its tools did.

use std::rc::Rc;

use futures::FutureExt;
use futures::future::{LocalBoxFuture, join_all};
use leptos::prelude::*;
use serde_json::Value;

use crate::change::{DomainChange, Line, Outcome};
use crate::command::Command;
use crate::icons::Icon;
use crate::toast::Toasts;
use crate::tools::Tools;
use crate::wall::Wall;

/// What of the page a panel works with. Copies are the same.
#[derive(Clone, Copy)]
pub struct Page {
    /// The tools, by hand.
    pub tools: Tools,
    /// The clock on the wall.
    pub wall: Wall,
    /// The notes at the edge.
    pub toasts: Toasts,
    /// The id of the pane that a narrow page shows.
    pub pane: RwSignal<&'static str>,
    /// What the person has chosen on the screen.
    pub chosen: Chosen,
}

/// What "these" are: things that the person has chosen on the screen, for the assistant. A handle: copies are the same.
#[derive(Clone, Copy)]
pub struct Chosen(pub RwSignal<Option<Told>>);

/// Words that a panel offers for the conversation: the message field takes them up, and nothing is sent by itself. A handle: copies are the
/// same.
#[derive(Clone, Copy)]
pub struct Offered(pub RwSignal<Option<String>>);

/// Something that a model is told at the start of a run beside what its tools' domains tell.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Told {
    /// The name of its fence: `chosen_photos`.
    pub name: &'static str,
    /// What a person calls it: "Chosen photos".
    pub title: &'static str,
    /// A sentence that leads to it, in the app's own words.
    pub lead: &'static str,
    /// What is told.
    pub text: String,
    /// What stands beside the message field, so that the person sees what goes with it: "12 photos chosen".
    pub label: String,
    /// Strangers may have written some of it (D-17).
    pub outside: bool,
}

impl Chosen {
    /// Nothing is chosen.
    #[must_use]
    pub fn nothing() -> Self {
        Self(RwSignal::new(None))
    }
}

impl Page {
    /// Brings a pane to the front of a narrow page.
    pub fn show(self, pane: &'static str) {
        self.pane.set(pane);
    }
}

/// What the page was opened for: a shortcut of the installed app, or something that was shared with it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Launch {
    /// The word of a shortcut; empty for none.
    pub word: String,
    /// What another app gave.
    pub shared: Option<Shared>,
    /// How much of what another app gave could not be kept; empty for none.
    pub left: String,
}

/// What another app gave, as it gave it: apps put a link into the text as often as into its own field.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Shared {
    /// A title.
    pub title: String,
    /// Text.
    pub text: String,
    /// A link.
    pub url: String,
}

/// The last call that did its work since the person last spoke.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LastCall<'a> {
    /// The tool.
    pub tool: &'a str,
    /// Its structured answer.
    pub answer: Option<&'a Value>,
}

/// Something that was found by its words, to be chosen in the palette.
#[derive(Clone)]
pub struct Hit {
    /// What it is called there.
    pub name: String,
    /// Its drawing.
    pub icon: Icon,
    /// How well it fits what is typed now: as [`crate::fits`] counts.
    pub rank: Rc<dyn Fn(&str) -> i32>,
    /// Does it.
    pub run: Rc<dyn Fn()>,
}

/// A panel's room of the settings, which is called as the panel is.
#[derive(Clone, Copy)]
pub struct Room {
    /// Its id, and that of the command which leads there: `settings-` and a word that no other room has.
    pub id: &'static str,
    /// Draws what is in it.
    pub draw: fn() -> AnyView,
    /// What can be found in it.
    pub settings: &'static [Setting],
}

/// Something in a room of the settings, for the search.
#[derive(Clone, Copy, Debug)]
pub struct Setting {
    /// The id of its field, or of what its fields are in.
    pub id: &'static str,
    /// What it is called there.
    pub name: crate::language::Word,
    /// What is said of it there, and other words by which it is looked for.
    pub hint: crate::language::Word,
}

impl PartialEq for Setting {
    fn eq(&self, other: &Self) -> bool {
        self.id == other.id && (self.name)() == (other.name)() && (self.hint)() == (other.hint)()
    }
}

impl Eq for Setting {}

/// How a panel is opened: it starts to read here, and holds what it has read.
pub type Open = fn(Page) -> Rc<dyn Panel>;

/// What an assistant brings to the page. All but its names may be left as it is: what has no words of its own is shown by what
/// the tools say of themselves.
pub trait Panel {
    /// A short word for it in the page: of its pane and its tab.
    fn id(&self) -> &'static str;

    /// The domain of the tool server whose rows it shows.
    fn domain(&self) -> &'static str;

    /// Its drawing and its name.
    fn label(&self) -> (Icon, &'static str);

    /// Draws its pane; none where it has none, and is words and dialogs alone.
    fn view(&self) -> Option<AnyView> {
        None
    }

    /// Draws its dialogs, which stand beside the panes.
    fn dialogs(&self) -> Option<AnyView> {
        None
    }

    /// Its room of the settings; none where there is nothing to set.
    fn settings(&self) -> Option<Room> {
        None
    }

    /// How many things its tab says there are; follows them.
    fn count(&self) -> usize {
        0
    }

    /// How many things the app's icon says wait for the person; none while it is not known. Follows them.
    fn waiting(&self) -> Option<usize> {
        Some(0)
    }

    /// Whether it shows anything that could be lost; follows it.
    fn has_data(&self) -> bool {
        self.count() > 0
    }

    /// Reads again what it shows.
    fn refresh(&self) {}

    /// What the app can be told to do with it.
    fn commands(&self) -> Vec<Command> {
        Vec::new()
    }

    /// What the page was opened for, if that is for this panel to do.
    fn launch(&self, launch: &Launch) -> bool {
        let _ = launch;
        false
    }

    /// A change of one of its rows as a line, at `now` (`2026-11-21T22:30`); `together` are all that changed in one call. None
    /// for what it cannot read.
    fn change_line(&self, change: &DomainChange, together: &[DomainChange], now: &str) -> Option<Line> {
        let _ = (together, now);
        change.line()
    }

    /// Words for one of its tools at work: `Adding…`.
    fn doing(&self, tool: &str) -> Option<&'static str> {
        let _ = tool;
        None
    }

    /// Words for what one of its tools answered that changed nothing.
    fn looked_at(&self, tool: &str, answer: &Value) -> Option<String> {
        let _ = (tool, answer);
        None
    }

    /// Draws what one of its tools found, below the words for it: pictures, a map. Not followed: it is asked once for each answer.
    fn found(&self, tool: &str, answer: &Value) -> Option<AnyView> {
        let _ = (tool, answer);
        None
    }

    /// Draws what one of its tools would change, below the words for it, where a person is asked whether it may. `answer` is what a trial of
    /// the call said. Not followed: it is asked once for each trial.
    fn would(&self, tool: &str, answer: &Value) -> Option<AnyView> {
        let _ = (tool, answer);
        None
    }

    /// What may be said after a call.
    fn suggestions(&self, last: Option<LastCall>) -> Vec<&'static str> {
        let _ = last;
        Vec::new()
    }

    /// What may be said when there is nothing else to say. Follows what there is.
    fn suggestion_at_rest(&self) -> Option<&'static str> {
        None
    }

    /// Its things that have these words.
    fn search(&self, words: String) -> LocalBoxFuture<'static, Vec<Hit>> {
        let _ = words;
        async { Vec::new() }.boxed_local()
    }

    /// Makes something new of these words.
    fn make(&self, words: &str) -> Option<Hit> {
        let _ = words;
        None
    }
}

/// The panels of this page, in their order. A handle: copies are the same.
#[derive(Clone, Copy)]
pub struct Panels(StoredValue<Rc<[Rc<dyn Panel>]>, LocalStorage>);

impl Panels {
    /// Opens them.
    #[must_use]
    pub fn open(all: &[Open], page: Page) -> Self {
        Self(StoredValue::new_local(all.iter().map(|open| open(page)).collect()))
    }

    /// Those of this page.
    ///
    /// # Panics
    /// Outside the page's root component, which provides them.
    #[must_use]
    pub fn get() -> Self {
        expect_context()
    }

    /// All of them.
    #[must_use]
    pub fn all(self) -> Rc<[Rc<dyn Panel>]> {
        self.0.get_value()
    }

    /// A tool's changes as lines, at `now`.
    #[must_use]
    pub fn lines(self, outcome: &Outcome, now: &str) -> Vec<Line> {
        lines(&self.all(), outcome, now)
    }

    /// What all of them find by these words.
    pub async fn search(self, words: &str) -> Vec<Hit> {
        let all = self.all();
        join_all(all.iter().map(|panel| panel.search(words.to_owned()))).await.into_iter().flatten().collect()
    }

    /// The first answer that a panel gives.
    pub fn first<T>(self, ask: impl FnMut(&Rc<dyn Panel>) -> Option<T>) -> Option<T> {
        self.all().iter().find_map(ask)
    }
}

/// A tool's changes as lines, at `now`: each in the words of the panel whose rows they are.
#[must_use]
pub fn lines(panels: &[Rc<dyn Panel>], outcome: &Outcome, now: &str) -> Vec<Line> {
    let together = &outcome.changes;
    let line = |change: &DomainChange| match change.domain {
        Some(domain) => match panels.iter().find(|panel| panel.domain() == domain) {
            Some(panel) => panel.change_line(change, together, now),
            None => change.line(),
        },
        // As results were saved before a change said whose row it is: whoever can read it.
        None => panels.iter().find_map(|panel| panel.change_line(change, together, now)),
    };
    together.iter().filter_map(line).collect()
}
