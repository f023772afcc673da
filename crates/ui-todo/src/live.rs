//! The list as the tools last told it: how many to-dos each group has, and the rows near what is looked at.
//!
//! The page never holds the whole list. What is in sight says which rows it wants; whenever anyone changed
//! anything, counts and wanted rows are read again, in one question.

use std::cell::{Cell, RefCell};
use std::ops::Range;
use std::rc::Rc;
use std::sync::Arc;

use leptos::html;
use leptos::prelude::*;
use leptos::task::spawn_local;
use serde_json::{Map, Value, json};
use ui_kit::panel::Page;
use ui_kit::parts::{self, NotLoaded};
use ui_kit::{Phase, Say, Toasts, Tools, Wall, clock};

use crate::editor::{Editor, Reader, editor, reader};
use crate::held::{Answer, Counts, Held};
use crate::model::{Group, Status, Todo, View, list_page};
use crate::words;
use web::storage;

/// The pause between two looks whether what a line waits for has come, in milliseconds.
const LOOK_MS: u64 = 20;

/// How long after a read that failed the next one is made.
const AGAIN_MS: u64 = 1_000;

/// What of the list is shown; what is empty stands for all.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Only {
    /// With all of these words.
    pub text: String,
    /// In this list.
    pub list: String,
    /// With this tag.
    pub tag: String,
    /// In these groups.
    pub view: View,
}

impl Only {
    /// Whether all of the groups that are shown is.
    #[must_use]
    pub fn is_all(&self) -> bool {
        [&self.text, &self.list, &self.tag].iter().all(|part| part.trim().is_empty())
    }

    /// Whether that is everything.
    #[must_use]
    pub fn is_whole(&self) -> bool {
        self.is_all() && self.view == View::All
    }

    /// What is shown, as a heading.
    #[must_use]
    pub fn name(&self) -> String {
        match (self.list.as_str(), self.tag.as_str()) {
            ("", "") => words::view_name(self.view).to_owned(),
            ("", tag) => format!("#{tag}"),
            (list, "") => list.to_owned(),
            (list, tag) => format!("{list} · #{tag}"),
        }
    }

    /// What an address names: `today`, `list/Groceries`, `tag/home`. It is also how what is shown is kept.
    #[must_use]
    pub fn of_address(address: &str) -> Option<Self> {
        let name = |name: &str| js_sys::decode_uri_component(name).ok().map(String::from);
        Some(match address.split_once('/') {
            Some(("list", list)) => Self { list: name(list)?, ..Self::default() },
            Some(("tag", tag)) => Self { tag: name(tag)?, ..Self::default() },
            Some(_) => return None,
            None => {
                Self { view: View::ALL.into_iter().find(|view| view.word() == address)?, ..Self::default() }
            }
        })
    }
}

/// Where what is shown is kept, as its address: the list comes back as it was left.
const KEPT: &str = "satchel.view";

/// A stretch of the calendar.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Span {
    /// Seven days.
    Week,
    /// A month, in whole weeks.
    Month,
}

/// To-dos that were picked, to do something with all of them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Picked {
    /// Whether a press on a row picks it.
    pub on: bool,
    /// Their ids and titles, in the order in which they were picked: rows may be out of sight by then.
    pub rows: Vec<(String, String)>,
    /// The last one that was picked: a stretch begins there.
    pub last: Option<(Group, String)>,
}

impl Picked {
    /// Whether this one is picked.
    #[must_use]
    pub fn has(&self, id: &str) -> bool {
        self.rows.iter().any(|(known, _)| known == id)
    }
}

/// The live list. A handle: copies are the same list.
#[derive(Clone, Copy)]
pub struct Live {
    /// How many to-dos each group has.
    pub counts: RwSignal<Counts>,
    /// The same of what is shown.
    pub shown: RwSignal<Counts>,
    /// What of the list is shown.
    pub only: RwSignal<Only>,
    /// What was picked of it.
    pub picked: RwSignal<Picked>,
    /// Whether the fields for that are there.
    pub finding: RwSignal<bool>,
    /// Whether the views are there to choose from.
    pub choosing: RwSignal<bool>,
    /// The calendar, while it is open.
    pub calendar: RwSignal<Option<Span>>,
    /// What the workspace shows.
    pub phase: RwSignal<Phase>,
    /// Grows whenever rows came.
    pub news: RwSignal<u32>,
    /// The clock on the wall: what was upcoming becomes overdue.
    pub wall: Wall,
    /// How many rows of each group are open as forms. They stay where they are until they are closed, wherever their
    /// to-do goes meanwhile.
    pub forms: RwSignal<[usize; Group::ALL.len()]>,
    held: StoredValue<Rc<Reading>, LocalStorage>,
    /// The tools.
    pub tools: Tools,
    /// The line in which a to-do is added.
    pub line: NodeRef<html::Input>,
    /// The list.
    pub list: NodeRef<html::Div>,
    /// What draws forms and reads lines, once it is here.
    pub editor: RwSignal<Option<(Editor, Reader)>>,
    /// Whether a line has asked for it, and nothing came of that yet.
    asks: StoredValue<Rc<Cell<bool>>, LocalStorage>,
    toasts: Toasts,
}

/// What is held, and what is being done about it.
struct Reading {
    held: RefCell<Held>,
    going_on: Cell<bool>,
    /// The list changed since the last read began.
    stale: Cell<bool>,
    /// The moment for which the list was asked last.
    read_at: RefCell<String>,
}

impl Live {
    /// Starts to read, and listens.
    #[must_use]
    pub fn start(page: Page) -> Self {
        let reading = Reading {
            held: RefCell::new(Held::new()),
            going_on: Cell::new(false),
            stale: Cell::new(false),
            read_at: RefCell::default(),
        };
        let live = Self {
            counts: RwSignal::new(Counts::default()),
            shown: RwSignal::new(Counts::default()),
            only: RwSignal::new(kept().unwrap_or_default()),
            picked: RwSignal::new(Picked::default()),
            finding: RwSignal::new(false),
            choosing: RwSignal::new(false),
            calendar: RwSignal::new(None),
            phase: RwSignal::new(Phase::Loading),
            news: RwSignal::new(0),
            wall: page.wall,
            forms: RwSignal::new([0; Group::ALL.len()]),
            held: StoredValue::new_local(Rc::new(reading)),
            tools: page.tools,
            line: NodeRef::new(),
            list: NodeRef::new(),
            editor: RwSignal::new(None),
            asks: StoredValue::new_local(Rc::default()),
            toasts: page.toasts,
        };
        live.refresh();
        ui_kit::effect(move |before: Option<()>| {
            live.only.track();
            if before.is_some() {
                live.refresh();
            }
        });
        ui_kit::effect(move |before: Option<u32>| {
            let news = page.tools.news.get();
            if before.is_some_and(|before| before != news) {
                live.refresh();
            }
            news
        });
        ui_kit::effect(move |_| {
            let now = page.wall.now.get();
            untrack(|| live.time_passed(&now));
        });
        live
    }

    /// The list of this page.
    ///
    /// # Panics
    /// Outside the page's root component, which opens the panels.
    #[must_use]
    pub fn get() -> Self {
        expect_context()
    }

    /// Has what draws forms and reads lines come, and goes on with it. Where it cannot be had a note says it, and tries again.
    pub fn with_editor(self, then: impl Fn() + Copy + Send + Sync + 'static) {
        if self.editor.with_untracked(Option::is_some) {
            return then();
        }
        parts::act(self.toasts, both, move |both| {
            self.has_editor(both);
            then();
        });
    }

    /// The same without a word where it cannot be had: whatever is typed can be added without it. Many letters ask, and it is asked for
    /// once at a time.
    pub fn bring_editor(self) {
        let asks = self.asks.get_value();
        if self.reader().is_some() || asks.replace(true) {
            return;
        }
        spawn_local(async move {
            if let Ok(had) = parts::for_run(both).await {
                self.has_editor(had);
            }
            asks.set(false);
        });
    }

    /// Has what drags rows come, without what reads lines: a pointer that only crosses the list needs no more.
    pub fn bring_dragging(self) {
        spawn_local(async move {
            if let Ok(editor) = editor().await {
                (editor().arrange)(self);
            }
        });
    }

    /// Waits until it is here, for so many milliseconds at most.
    pub async fn waits_for_editor(self, most_ms: u64) {
        self.bring_editor();
        let asks = self.asks.get_value();
        let mut waited_ms = 0;
        while asks.get() && waited_ms < most_ms {
            clock::sleep(LOOK_MS).await;
            waited_ms += LOOK_MS;
        }
    }

    /// It is here, once: what it drew stays as it is.
    fn has_editor(self, both: (Editor, Reader)) {
        if self.editor.try_with_untracked(Option::is_none) == Some(true) {
            (both.0.arrange)(self);
            self.editor.set(Some(both));
        }
    }

    /// What reads lines, if it is here.
    #[must_use]
    pub fn reader(self) -> Option<Reader> {
        self.editor.try_get_untracked().flatten().map(|(_, reader)| reader)
    }

    /// Shows the whole list again, without the fields for less.
    pub fn show_all(self) {
        self.only.set(Only::default());
        self.finding.set(false);
        storage::local().remove(KEPT);
    }

    /// Shows something of the list from now on, and after a reload: in the groups of a view, a list or a tag. What else is looked for is
    /// over with the page.
    pub fn choose(self, only: Only) {
        let named =
            |what: &str, name: &str| format!("{what}/{}", String::from(js_sys::encode_uri_component(name)));
        let address = match (only.list.as_str(), only.tag.as_str(), only.text.as_str()) {
            ("", "", "") => Some(only.view.word().to_owned()),
            (list, "", "") => Some(named("list", list)),
            ("", tag, "") => Some(named("tag", tag)),
            _ => None,
        };
        match address.filter(|_| !only.is_whole()) {
            Some(address) => drop(storage::local().set(KEPT, &address)),
            None => storage::local().remove(KEPT),
        }
        self.only.set(only);
    }

    /// What a to-do gets that is added while this is shown, so that it stands where it was typed: a list, a tag, today.
    #[must_use]
    pub fn within(self) -> Value {
        let mut fields = Map::new();
        self.only.with_untracked(|only| {
            if !only.list.is_empty() {
                fields.insert("list".into(), only.list.as_str().into());
            }
            if !only.tag.is_empty() {
                fields.insert("tags".into(), json!([only.tag]));
            }
            if only.view == View::Today {
                fields.insert("due".into(), self.wall.look().split('T').next().into());
            }
        });
        Value::Object(fields)
    }

    /// How many of a group are shown.
    #[must_use]
    pub fn shown_of(self, group: Group) -> usize {
        if self.only.with(|only| only.view.has(group)) { self.shown.get().of(group) } else { 0 }
    }

    /// Reads the counts and the wanted rows again; while a read is going on, one more follows it.
    pub fn refresh(self) {
        self.held.with_value(|reading| reading.stale.set(true));
        self.read();
    }

    /// These rows of a group are in sight. What of them is not here is read.
    pub fn want(self, group: Group, range: Range<usize>) {
        let missing = self.held.with_value(|reading| {
            let mut held = reading.held.borrow_mut();
            held.want(group, range);
            !held.missing().is_empty()
        });
        if missing {
            self.read();
        }
    }

    /// The to-do in a place of a group, if it is here.
    #[must_use]
    pub fn row(self, group: Group, at: usize) -> Option<Arc<Todo>> {
        self.held.with_value(|reading| reading.held.borrow().row(group, at).cloned())
    }

    /// Where a to-do stands in a group, if it is among the rows that are here.
    #[must_use]
    pub fn place(self, group: Group, id: &str) -> Option<usize> {
        self.held.with_value(|reading| reading.held.borrow().place(group, id))
    }

    /// The to-dos, open or done, that have all of these words; none when they cannot be asked for.
    pub async fn find(self, words: &str, most: usize) -> Vec<Todo> {
        let arguments = json!({ "status": "all", "text": words, "limit": most });
        let found = self.tools.read("todo_list", arguments).await;
        found.ok().and_then(|result| list_page(&result)).map(|(todos, ..)| todos).unwrap_or_default()
    }

    /// Completes an open to-do, and reopens one that is done.
    pub fn turn(self, id: &str, status: Status) {
        let tool = match status {
            Status::Open => "todo_complete",
            Status::Done => "todo_reopen",
        };
        self.tools.run(tool, json!({ "id": id }), Say::Nothing, |_| {});
    }

    /// The to-do with this id, if there is one.
    pub async fn one(self, id: &str) -> Option<Todo> {
        let text = self.tools.caller().resource(&format!("todo://item/{id}")).await.ok()?;
        serde_json::from_str(&text).ok()
    }

    /// Picks a row, or takes it back; `stretch` picks all from the last one to here.
    pub fn pick(self, group: Group, id: String, stretch: bool) {
        let id = StoredValue::new(id);
        self.with_editor(move || {
            if let (Some((editor, _)), Some(id)) = (self.editor.get_untracked(), id.try_get_value()) {
                (editor.pick)(self, group, id, stretch);
            }
        });
    }

    /// Begins to pick, or ends it.
    pub fn picking(self, on: bool) {
        self.picked.set(Picked { on, ..Picked::default() });
    }

    /// Tells something in a note.
    pub fn say(self, words: &str) {
        self.toasts.say(words.to_owned());
    }

    /// A row of a group was opened as a form, or closed.
    pub fn form(self, group: Group, is_open: bool) {
        self.forms.update(|forms| {
            let count = &mut forms[group as usize];
            *count = if is_open { *count + 1 } else { count.saturating_sub(1) };
        });
        if !is_open {
            // What stood only for its form goes now.
            self.show();
        }
    }

    /// The groups depend on the clock only while something is due today, and on the day.
    fn time_passed(self, now: &str) {
        let before = self.held.with_value(|reading| reading.read_at.borrow().clone());
        if before.is_empty() || before == now {
            return;
        }
        let other_day = before.split('T').next() != now.split('T').next();
        if other_day || self.counts.get_untracked().today > 0 {
            self.refresh();
        }
    }

    fn read(self) {
        let reading = self.held.get_value();
        if reading.going_on.replace(true) {
            return;
        }
        spawn_local(async move {
            let mut tried_again = false;
            loop {
                let anew = reading.stale.replace(false);
                let ranges =
                    if anew { reading.held.borrow().wanted() } else { reading.held.borrow().missing() };
                if ranges.is_empty() && !anew {
                    break;
                }
                match self.ask(&ranges).await {
                    Ok(answer) => {
                        if reading.held.borrow_mut().take(answer, anew) {
                            reading.stale.set(true);
                        }
                        self.show();
                    }
                    // A read may fall into a moment in which the worker or its database goes: the next one finds them.
                    Err(_) if !tried_again => {
                        tried_again = true;
                        reading.stale.set(true);
                        clock::sleep(AGAIN_MS).await;
                    }
                    Err(message) => {
                        // A list that is on the screen is still the last known truth.
                        if self.phase.with_untracked(|phase| matches!(phase, Phase::Empty | Phase::Ready)) {
                            self.toasts.say(message);
                        } else {
                            self.phase.set(Phase::Failed(message));
                        }
                        // Asked for again with the next change or the next look.
                        if !reading.stale.get() {
                            break;
                        }
                    }
                }
            }
            reading.going_on.set(false);
        });
    }

    fn show(self) {
        let (shown, counts) = self.held.with_value(|reading| {
            let held = reading.held.borrow();
            (held.counts, held.all)
        });
        let has_forms = self.forms.with_untracked(|forms| forms.iter().any(|count| *count > 0));
        let phase = if counts.all() == 0 && !has_forms { Phase::Empty } else { Phase::Ready };
        if self.counts.get_untracked() != counts {
            self.counts.set(counts);
        }
        if self.shown.get_untracked() != shown {
            self.shown.set(shown);
        }
        self.news.update(|news| *news = news.wrapping_add(1));
        if self.phase.with_untracked(|before| *before != phase) {
            self.phase.set(phase);
        }
    }

    async fn ask(self, ranges: &[(Group, Range<usize>)]) -> Result<Answer, String> {
        let now = self.wall.look();
        self.held.with_value(|reading| reading.read_at.replace(now.clone()));
        let mut address = format!("todo://window?now={now}");
        self.only.with_untracked(|only| {
            for (name, value) in [("text", &only.text), ("list", &only.list), ("tag", &only.tag)] {
                if !value.trim().is_empty() {
                    address
                        .push_str(&format!("&{name}={}", String::from(js_sys::encode_uri_component(value))));
                }
            }
        });
        for (group, range) in ranges {
            address.push_str(&format!("&{}={}-{}", group.word(), range.start, range.end));
        }
        let text = self.tools.caller().resource(&address).await?;
        serde_json::from_str(&text).map_err(|_| words::list_unreadable().to_owned())
    }
}

/// What was shown when the list was left.
fn kept() -> Option<Only> {
    Only::of_address(&storage::local().get(KEPT)?)
}

/// Both parts that a form needs.
async fn both() -> Result<(Editor, Reader), NotLoaded> {
    let (editor, reader) = (editor().await?, reader().await?);
    Ok((editor(), reader()))
}
