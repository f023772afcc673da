//! Holds the conversations' drivers and lets the page talk to them: say, stop, approve, deny, retry,
//! new, clear, open.
//!
//! A conversation that is open here sits in a [`Seat`]: its state, its driver and its lock. The
//! state on the screen is always the seat's; what is true is the log, from which a seat is rebuilt
//! at any time. A run goes on while another conversation is looked at.

mod answers;
mod context;
mod draw;
mod follow;
mod hands;
mod keep;
mod manage;
mod past;
mod ports;
mod replay;
mod seat;

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use agent::{AgentState, Effect, EntryBody, Input, Ports, Said, Spent, Stamp, Template};
use futures::future::{AbortHandle, Abortable};
use leptos::prelude::*;
use leptos::task::spawn_local;
use protocol::CallId;

use crate::leader::{Ask, Lock};
use crate::log::{Conversation, Shelf};
use crate::model::{ChosenModel, SeatModel};
use crate::privacy::{Discreet, Privacy};
use crate::toolbox::Toolbox;
use crate::{approvals, assistant, clock, i18n};
pub use answers::Answer;
pub use context::Gauge;
use draw::Drawn;
pub use draw::Row;
use keep::{Keeper, listen};
pub use manage::Places;
use ports::{BrowserClock, HereAndNow, RandomIds};
pub use replay::Replayed;
pub use seat::Role;
use seat::Seat;

/// Where a tab keeps which conversation it shows.
const CURRENT: &str = "satchel.conversation";

/// Where a tab keeps in which conversation it broke.
const BROKEN: &str = "satchel.broken";

/// How long a lock may take before the page says that another tab has it, in milliseconds.
const LOCK_PATIENCE_MS: u64 = 400;

/// How often the tabs that watch are told what streams, at most, in milliseconds.
const TELL_MS: i64 = 80;

/// How often a tab that wants to lead looks whether it may, before it takes what it asked for.
const HAND_OVER_LOOKS: u32 = 40;

/// The time between two of these looks, in milliseconds.
const HAND_OVER_LOOK_MS: u64 = 25;

/// The conversations of this page. A handle: copies are the same host.
#[derive(Clone, Copy)]
pub struct Host {
    /// The transcript on the screen.
    pub rows: RwSignal<Vec<Row>>,
    /// True while a run is open, and while it is not known yet whether one is.
    pub busy: RwSignal<bool>,
    /// True while a call waits for the person's answer in this tab.
    pub asked: RwSignal<bool>,
    /// What this tab may do with the conversation.
    pub role: RwSignal<Role>,
    /// All conversations of the device, newest first.
    pub conversations: RwSignal<Vec<Conversation>>,
    /// The id of the one on the screen.
    pub current: RwSignal<String>,
    /// Keys of the calls that were undone.
    pub undone: RwSignal<BTreeSet<String>>,
    /// What went wrong around the conversation itself, in words.
    pub trouble: RwSignal<Option<String>>,
    /// What a screen reader is told.
    pub announcement: RwSignal<String>,
    /// How full the model's window is.
    pub gauge: RwSignal<Gauge>,
    /// How the replay of the run on the screen stands; none while there was none.
    pub replayed: RwSignal<Option<Replayed>>,
    drawn: StoredValue<Drawn>,
    inner: StoredValue<Rc<Inner>, LocalStorage>,
}

struct Inner {
    shelf: Rc<Shelf>,
    /// The app's own tools, for hands.
    toolbox: Rc<Toolbox>,
    /// All tools, for the model.
    tools: Rc<dyn agent::Toolbox>,
    /// The models.
    model: Rc<ChosenModel>,
    /// What they get to see of the person.
    privacy: Privacy,
    seats: RefCell<BTreeMap<String, Rc<Seat>>>,
}

/// What to run.
enum Run {
    Turn(Said),
    Retry,
    Resume,
}

impl Host {
    /// Opens the conversation this tab had, or the newest, or a new one.
    #[must_use]
    pub fn start(
        shelf: Rc<Shelf>,
        toolbox: Rc<Toolbox>,
        tools: Rc<dyn agent::Toolbox>,
        model: Rc<ChosenModel>,
        privacy: Privacy,
    ) -> Self {
        let kept = shelf.is_kept();
        let inner = Inner { shelf, toolbox, tools, model, privacy, seats: RefCell::default() };
        let host = Self {
            rows: RwSignal::new(Vec::new()),
            busy: RwSignal::new(true),
            asked: RwSignal::new(false),
            role: RwSignal::new(Role::Loading),
            conversations: RwSignal::new(Vec::new()),
            current: RwSignal::new(String::new()),
            undone: RwSignal::new(BTreeSet::new()),
            trouble: RwSignal::new((!kept).then(|| i18n::NO_STORAGE.to_owned())),
            announcement: RwSignal::new(String::new()),
            gauge: RwSignal::default(),
            replayed: RwSignal::new(None),
            drawn: StoredValue::new(Drawn::default()),
            inner: StoredValue::new_local(Rc::new(inner)),
        };
        listen(move |message| host.heard(message));
        spawn_local(async move {
            host.read_conversations().await;
            let known = host.conversations.get_untracked();
            let wanted = remembered().filter(|id| known.iter().any(|conversation| conversation.id == *id));
            match wanted.or_else(|| known.first().map(|conversation| conversation.id.clone())) {
                Some(id) => host.open(id),
                None => host.new_conversation(),
            }
        });
        host
    }

    /// Says something. False when it cannot be said now: another run is open, or another tab leads.
    pub fn submit(self, said: Said) -> bool {
        self.run(Run::Turn(said))
    }

    /// Tries the last run again.
    pub fn retry(self) {
        self.run(Run::Retry);
    }

    /// Stops the run; what it did is kept.
    pub fn stop(self) {
        if let Some(seat) = self.seat() {
            seat.handle.borrow().cancel();
        }
    }

    /// Allows a call that waits.
    pub fn approve(self, call: CallId) {
        if let Some(seat) = self.seat() {
            seat.handle.borrow().approve(call);
        }
    }

    /// Declines a call that waits.
    pub fn deny(self, call: CallId) {
        if let Some(seat) = self.seat() {
            seat.handle.borrow().deny(call);
        }
    }

    /// Begins a new conversation. It is on the device with its first message.
    pub fn new_conversation(self) {
        // One that nothing was said in is as good as new.
        if self.role.get_untracked() == Role::Leading
            && !self.busy.get_untracked()
            && self.rows.with_untracked(Vec::is_empty)
        {
            return;
        }
        self.open(clock::new_id("chat"));
    }

    /// Begins a new conversation of a kind, or an ordinary one again. Its id says which kind it is, for as long as it is kept.
    pub fn new_conversation_as(self, template: Option<Template>) {
        self.open(clock::new_id(template.map_or("chat", |template| template.id)));
    }

    /// The kind of the conversation on the screen.
    #[must_use]
    pub fn template(self) -> Option<Template> {
        self.current.with(|id| template_of(id))
    }

    /// Shows a conversation, and leads it when no other tab does.
    pub fn open(self, id: String) {
        if self.current.with_untracked(|current| *current == id) {
            return;
        }
        self.leave();
        remember(&id);
        self.current.set(id.clone());
        self.replayed.set(None);
        let inner = self.inner.get_value();
        let sitting = inner.seats.borrow().get(&id).cloned();
        if let Some(seat) = sitting {
            self.publish(&seat);
            return;
        }
        let seat = self.new_seat(&id);
        inner.seats.borrow_mut().insert(id, Rc::clone(&seat));
        self.publish(&seat);
        if self.is_record(&seat.id) {
            return self.read_record(seat);
        }
        self.ask_for(&seat, Ask::InTurn);
        spawn_local(async move {
            clock::sleep(LOCK_PATIENCE_MS).await;
            if seat.role.get() == Role::Loading {
                seat.role.set(Role::Watching);
                self.reload(&seat).await;
            }
        });
    }

    /// Takes the conversation over from the tab that leads it. It is asked to let go first: a run that is
    /// robbed may still write an entry that its successor has not read. Only a tab that does not hear is robbed.
    pub fn take_over(self) {
        let Some(seat) = self.seat() else { return };
        keep::tell(&format!("{}{}", keep::HAND_OVER, seat.id));
        spawn_local(async move {
            for _ in 0..HAND_OVER_LOOKS {
                clock::sleep(HAND_OVER_LOOK_MS).await;
                if seat.role.get() != Role::Watching {
                    return;
                }
            }
            self.ask_for(&seat, Ask::AtOnce);
        });
    }

    /// Lets another tab lead: whatever runs here ends now, and that tab resumes it.
    fn give_up(self, seat: &Rc<Seat>) {
        seat.abort();
        seat.role.set(Role::Watching);
        self.publish(seat);
        self.ask_for(seat, Ask::InTurn);
    }

    /// The conversation of this id, where it is open in this tab.
    fn seat_of(self, id: &str) -> Option<Rc<Seat>> {
        self.inner.with_value(|inner| inner.seats.borrow().get(id).cloned())
    }

    /// Removes the conversation on the screen and begins a new one. To-dos stay as they are.
    pub fn clear(self) {
        let Some(seat) = self.seat() else { return };
        let inner = self.inner.get_value();
        seat.abort();
        inner.seats.borrow_mut().remove(&seat.id);
        self.rows.set(Vec::new());
        self.current.set(String::new());
        self.open(clock::new_id("chat"));
        spawn_local(async move {
            if let Err(failure) = inner.shelf.remove(&seat.id).await {
                self.trouble.set(Some(failure.message));
            }
            self.read_conversations().await;
        });
    }

    /// Remembers that a call was undone by its button.
    pub fn mark_undone(self, key: String) {
        let Some(seat) = self.seat() else { return };
        self.undone.update(|undone| {
            undone.insert(key.clone());
        });
        self.change(&seat.id, |conversation| conversation.undone.push(key));
    }

    fn seat(self) -> Option<Rc<Seat>> {
        let id = self.current.get_untracked();
        self.inner.with_value(|inner| inner.seats.borrow().get(&id).cloned())
    }

    /// Gives up a seat that nothing goes on in, so that another tab can lead the conversation.
    fn leave(self) {
        let Some(seat) = self.seat() else { return };
        if seat.role.get() != Role::Leading || !seat.state.borrow().status.is_busy() {
            self.inner.with_value(|inner| inner.seats.borrow_mut().remove(&seat.id));
        }
    }

    fn new_seat(self, id: &str) -> Rc<Seat> {
        let inner = self.inner.get_value();
        Rc::new_cyclic(|weak: &std::rc::Weak<Seat>| {
            let weak = weak.clone();
            let told_ms = std::cell::Cell::new(0);
            let show = move |state: &AgentState| {
                if let Some(seat) = weak.upgrade() {
                    seat.state.replace(state.clone());
                    self.publish(&seat);
                    let now_ms = clock::now_ms();
                    // What is saved is told as it is saved; this is only what streams.
                    if state.live.started_ms.is_some() && now_ms - told_ms.get() >= TELL_MS {
                        told_ms.set(now_ms);
                        follow::tell(&seat.id, &state.live);
                    }
                }
            };
            let model = Rc::new(SeatModel::new(Rc::clone(&inner.model)));
            let ports = Ports {
                model: Rc::new(Discreet::new(Rc::clone(&model), inner.privacy)),
                toolbox: Rc::clone(&inner.tools),
                log: Rc::new(Keeper::new(Rc::clone(&inner.shelf), self)),
                clock: Rc::new(BrowserClock),
                ids: Rc::new(RandomIds),
                surroundings: Rc::new(HereAndNow { toolbox: Rc::clone(&inner.toolbox) }),
                show: Rc::new(show),
            };
            Seat::new(id, ports, model)
        })
    }

    fn ask_for(self, seat: &Rc<Seat>, ask: Ask) {
        let (granted, lost) = (Rc::downgrade(seat), Rc::downgrade(seat));
        let lock = Lock::ask(
            &format!("satchel-conversation-{}", seat.id),
            ask,
            move || {
                if let Some(seat) = granted.upgrade() {
                    self.lead(seat);
                }
            },
            move || {
                if let Some(seat) = lost.upgrade() {
                    self.give_up(&seat);
                }
            },
        );
        seat.lock.replace(Some(lock));
    }

    /// The lock is ours: the log is read as it is now, and an open run goes on.
    fn lead(self, seat: Rc<Seat>) {
        spawn_local(async move {
            self.reload(&seat).await;
            seat.role.set(Role::Leading);
            if was_broken(&seat.id) {
                self.end_broken(&seat).await;
            }
            let open = seat.state.borrow().status.is_busy();
            self.publish(&seat);
            if open {
                self.run_in(seat, Run::Resume);
            }
        });
    }

    /// The page broke in this conversation. To go on where it was would break it again, so its open run is
    /// ended instead; the person can try again.
    async fn end_broken(self, seat: &Rc<Seat>) {
        let stamp = Stamp { now_ms: clock::now_ms() };
        let (state, effects) = agent::step(seat.state.borrow().clone(), Input::Cancel, stamp);
        let keeper = Keeper::new(self.inner.with_value(|inner| Rc::clone(&inner.shelf)), self);
        for effect in effects {
            if let Effect::Save(entry) = effect
                && let Err(failure) = agent::Log::append(&keeper, &seat.id, &entry).await
            {
                return self.trouble.set(Some(failure.message));
            }
        }
        seat.state.replace(state);
        self.trouble.set(Some(i18n::BROKE_HERE.to_owned()));
    }

    /// Rebuilds a seat's state from the log.
    async fn reload(self, seat: &Rc<Seat>) {
        let inner = self.inner.get_value();
        match inner.shelf.entries(&seat.id, 0).await {
            Ok(entries) => {
                let config = assistant::config();
                seat.state.replace(AgentState::from_entries(seat.id.clone(), config, entries));
            }
            Err(failure) => self.trouble.set(Some(failure.message)),
        }
        self.publish(seat);
    }

    fn run(self, run: Run) -> bool {
        match self.seat() {
            Some(seat) if seat.role.get() == Role::Leading && !seat.state.borrow().status.is_busy() => {
                self.run_in(seat, run)
            }
            _ => false,
        }
    }

    fn run_in(self, seat: Rc<Seat>, run: Run) -> bool {
        let Some(mut driver) = seat.driver.borrow_mut().take() else { return false };
        let mut state = seat.state.borrow().clone();
        let (routed, settings) =
            self.inner.with_value(|inner| inner.model.plan(said_last(&state, &run), shows_pictures(&run)));
        seat.model.begin(routed, Spent::of(&state));
        // What an earlier run was told is not told twice.
        state.config = assistant::config();
        state.config.model = settings.model_name();
        state.config.routed = routed;
        settings.tune(&mut state.config);
        if let Some(template) = template_of(&seat.id) {
            state.config = template.applied(state.config);
        }
        state.config.approvals = approvals::load();
        for tool in self.known(&seat.id).map(|conversation| conversation.allowed).unwrap_or_default() {
            state.config.approvals.tools.insert(tool, agent::Rule::Never);
        }
        self.busy.set(true);
        let (abort, registration) = AbortHandle::new_pair();
        seat.running.replace(Some(abort));
        spawn_local(async move {
            let running = async {
                let state = match run {
                    Run::Turn(said) => driver.run_turn(state, said).await,
                    Run::Retry => driver.retry(state).await,
                    Run::Resume => driver.resume(state).await,
                };
                (driver, state)
            };
            // An aborted run has been handed to another tab, or cleared; its driver is gone with it.
            let Ok((driver, state)) = Abortable::new(running, registration).await else { return };
            seat.driver.replace(Some(driver));
            seat.state.replace(state);
            self.publish(&seat);
            self.announce(&seat);
            if self.current.with_untracked(|current| *current != seat.id) {
                self.inner.with_value(|inner| inner.seats.borrow_mut().remove(&seat.id));
            }
        });
        true
    }

    async fn read_conversations(self) {
        let inner = self.inner.get_value();
        match inner.shelf.conversations().await {
            Ok(conversations) => self.conversations.set(conversations),
            Err(failure) => self.trouble.set(Some(failure.message)),
        }
    }

    /// A conversation changed here: the list shows it without reading the device again.
    fn put_in_list(self, conversation: Conversation) {
        self.conversations.update(|all| {
            all.retain(|one| one.id != conversation.id);
            all.push(conversation);
            all.sort_by(|a, b| b.updated_ms.cmp(&a.updated_ms).then_with(|| a.id.cmp(&b.id)));
        });
    }
}

fn template_of(id: &str) -> Option<Template> {
    Template::of(id.rsplit_once('_')?.0)
}

/// Whether a message is more than its words.
fn shows_pictures(run: &Run) -> bool {
    matches!(run, Run::Turn(said) if !said.images.is_empty())
}

/// What a run is about: the message it begins with, or the one it goes on with.
fn said_last<'a>(state: &'a AgentState, run: &'a Run) -> &'a str {
    match run {
        Run::Turn(said) => &said.text,
        Run::Retry | Run::Resume => {
            let said = state.entries.iter().rev().find_map(|entry| match &entry.body {
                EntryBody::User { text, .. } => Some(text.as_str()),
                _ => None,
            });
            said.unwrap_or_default()
        }
    }
}

fn remember(id: &str) {
    if let Some(storage) = session() {
        let _ = storage.set_item(CURRENT, id);
    }
}

fn remembered() -> Option<String> {
    session()?.get_item(CURRENT).ok().flatten()
}

/// Remembers, while the page breaks, which conversation it showed.
pub fn mark_broken() {
    if let (Some(storage), Some(id)) = (session(), remembered()) {
        let _ = storage.set_item(BROKEN, &id);
    }
}

/// Whether the page broke in this conversation; asked once.
fn was_broken(id: &str) -> bool {
    let Some(storage) = session() else { return false };
    let broken = storage.get_item(BROKEN).ok().flatten().is_some_and(|broken| broken == id);
    if broken {
        let _ = storage.remove_item(BROKEN);
    }
    broken
}

fn session() -> Option<web_sys::Storage> {
    web_sys::window()?.session_storage().ok().flatten()
}
