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
mod frozen;
mod hands;
mod keep;
mod leading;
mod manage;
mod past;
mod ports;
mod removal;
mod replay;
mod seat;
pub mod words;

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::rc::Rc;

use agent::{AgentState, Ending, EntryBody, ItemBody, Ports, Said, Spent, Template};
use futures::future::{AbortHandle, Abortable};
use leptos::prelude::*;
use leptos::task::spawn_local;
use litemap::LiteMap;
use protocol::{CallId, CallKey, Failure};

use crate::log::{Conversation, Shelf, newest_first};
use crate::model::{ChosenModel, SeatModel};
use crate::privacy::{Discreet, Privacy};
use crate::toolbox::Toolbox;
use crate::{approvals, assistant, clock, drafts, i18n};
pub use answers::Answer;
pub use context::Gauge;
use draw::Drawn;
pub use draw::Row;
use frozen::UnderWay;
use keep::{Keeper, listen};
pub use leading::mark_broken;
pub use manage::Places;
use ports::{BrowserClock, HereAndNow, PartChecker, RandomIds};
pub use replay::Replayed;
pub use seat::Role;
use seat::Seat;
use web::lock::{self, Ask, Lock};
use web::storage;

/// Where a tab keeps which conversation it shows.
const CURRENT: &str = "satchel.conversation";

/// How long a lock may take before it is looked whether another tab has it, in milliseconds.
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
    /// True while what waits is a question in the model's own words.
    pub asked_in_words: RwSignal<bool>,
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
    /// True while something of the conversation on the screen could not be kept.
    pub unsaved: RwSignal<bool>,
    /// True while the last run on the screen ended because its model failed.
    pub model_failed: RwSignal<bool>,
    /// True from when a model elsewhere could not be reached until one answered.
    pub no_answer: RwSignal<bool>,
    /// The conversation whose run was broken off, because the page broke or froze in it, until the person leaves it at that.
    pub broken_off: RwSignal<Option<String>>,
    /// The conversation that this tab removed last.
    pub removed: RwSignal<Option<String>>,
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
    seats: RefCell<LiteMap<String, Rc<Seat>>>,
}

/// What to run.
enum Run {
    Turn(Said),
    Retry,
    Resume,
}

impl Host {
    /// The one of this page.
    ///
    /// # Panics
    /// Outside the page's root component, which provides it.
    #[must_use]
    pub fn get() -> Self {
        expect_context()
    }

    /// Opens the conversation this tab had, or the newest of those that are `known` on the shelf, or a new one.
    #[must_use]
    pub fn start(
        shelf: Rc<Shelf>,
        known: Result<Vec<Conversation>, Failure>,
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
            asked_in_words: RwSignal::new(false),
            role: RwSignal::new(Role::Loading),
            conversations: RwSignal::new(Vec::new()),
            current: RwSignal::new(String::new()),
            undone: RwSignal::new(BTreeSet::new()),
            trouble: RwSignal::new((!kept).then(|| i18n::NO_STORAGE.to_owned())),
            unsaved: RwSignal::new(false),
            model_failed: RwSignal::new(false),
            no_answer: RwSignal::new(false),
            broken_off: RwSignal::new(None),
            removed: RwSignal::new(None),
            announcement: RwSignal::new(String::new()),
            gauge: RwSignal::default(),
            replayed: RwSignal::new(None),
            drawn: StoredValue::new(Drawn::default()),
            inner: StoredValue::new_local(Rc::new(inner)),
        };
        listen(move |message| host.heard(message));
        host.knows(known);
        let known = host.conversations.get_untracked();
        // One that nothing was said in is on no list; what was begun in it is kept with this tab.
        let is_there = |id: &String| known.iter().any(|one| one.id == *id) || drafts::is_kept(id);
        let wanted = remembered().filter(is_there);
        match wanted.or_else(|| known.first().map(|conversation| conversation.id.clone())) {
            Some(id) => host.open(id),
            None => host.new_conversation(),
        }
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

    /// Whether the last run ended without an answer, and may be made again here.
    #[must_use]
    pub fn can_retry(self) -> bool {
        let is_open = |body: &ItemBody| match body {
            ItemBody::Ending { ending, .. } => !matches!(ending, Ending::Complete { .. }),
            _ => false,
        };
        let ended =
            self.rows.with_untracked(|rows| rows.last().is_some_and(|row| row.body.with_untracked(is_open)));
        ended && !self.busy.get_untracked() && self.role.get_untracked() == Role::Leading
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
        spawn_local(self.watch_if_led_elsewhere(seat));
    }

    /// Shows the conversation of another tab as it is there. That a busy page is slow to give this one the lock, or to read the
    /// entries, says nothing of another tab.
    async fn watch_if_led_elsewhere(self, seat: Rc<Seat>) {
        let is_ours = || seat.lock.borrow().as_ref().is_some_and(Lock::is_held);
        while seat.role.get() == Role::Loading && self.is_open(&seat) {
            clock::sleep(LOCK_PATIENCE_MS).await;
            if !is_ours()
                && lock::is_taken(&lock_of(&seat.id)).await
                && !is_ours()
                && seat.role.get() == Role::Loading
            {
                seat.role.set(Role::Watching);
                return self.reload(&seat).await;
            }
        }
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

    /// Lets another tab lead: whatever runs here ends now, and that tab resumes it. One that is not looked at is read again when
    /// it is.
    fn give_up(self, seat: &Rc<Seat>) {
        seat.abort();
        seat.role.set(Role::Watching);
        if !self.is_shown(seat) {
            return self.put_away(seat);
        }
        self.publish(seat);
        self.ask_for(seat, Ask::InTurn);
    }

    /// Whether this is the seat of the conversation on the screen. Another one of the same conversation may have been left in
    /// the middle of a wait.
    fn is_shown(self, seat: &Rc<Seat>) -> bool {
        self.seat().is_some_and(|shown| Rc::ptr_eq(&shown, seat))
    }

    /// Whether the conversation is still open here, in this seat.
    fn is_open(self, seat: &Rc<Seat>) -> bool {
        self.seat_of(&seat.id).is_some_and(|open| Rc::ptr_eq(&open, seat))
    }

    /// Lets go of a seat.
    fn put_away(self, seat: &Rc<Seat>) {
        if self.is_open(seat) {
            self.inner.with_value(|inner| inner.seats.borrow_mut().remove(&seat.id));
        }
    }

    /// A run or a fold is over: a conversation that is not looked at can be led by others again.
    fn settled(self, seat: &Rc<Seat>) {
        if !self.is_shown(seat) {
            self.put_away(seat);
        }
    }

    /// The conversation of this id, where it is open in this tab.
    fn seat_of(self, id: &str) -> Option<Rc<Seat>> {
        self.inner.with_value(|inner| inner.seats.borrow().get(id).cloned())
    }

    /// Remembers that a call of a conversation was undone by its button.
    pub fn mark_undone(self, conversation: &str, key: String) {
        if self.current.with_untracked(|current| current == conversation) {
            self.undone.update(|undone| {
                undone.insert(key.clone());
            });
        }
        self.change(conversation, |conversation| conversation.undone.push(key));
    }

    fn seat(self) -> Option<Rc<Seat>> {
        let id = self.current.get_untracked();
        self.inner.with_value(|inner| inner.seats.borrow().get(&id).cloned())
    }

    /// Gives up a seat that nothing goes on in, so that another tab can lead the conversation.
    fn leave(self) {
        let Some(seat) = self.seat() else { return };
        // Between what was said and its entry nothing is open in the state yet, but the driver is away.
        let goes_on = seat.driver.borrow().is_none() || seat.state.borrow().status.is_busy();
        if seat.role.get() != Role::Leading || !goes_on {
            self.put_away(&seat);
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
                checker: Rc::new(PartChecker),
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
            &lock_of(&seat.id),
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
        if !matches!(run, Run::Resume) && self.broken_off.with_untracked(|of| of.as_ref() == Some(&seat.id)) {
            // It was tried again, or something else was said: that it was broken off is over.
            self.broken_off.set(None);
        }
        if matches!(run, Run::Resume) {
            self.inner.with_value(|inner| inner.toolbox.comes_again(open_calls(&state)));
        }
        self.publish(&seat);
        let (abort, registration) = AbortHandle::new_pair();
        seat.running.replace(Some(abort));
        let weak = Rc::downgrade(&seat);
        let waits = move || weak.upgrade().is_some_and(|seat: Rc<Seat>| frozen::waits(&seat.state.borrow()));
        let under_way = UnderWay::begin(&seat.id, waits);
        spawn_local(async move {
            let running = async {
                let _under_way = under_way;
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
            self.tell_reach(&seat);
            self.announce(&seat);
            self.settled(&seat);
        });
        true
    }

    async fn read_conversations(self) {
        let inner = self.inner.get_value();
        self.knows(inner.shelf.conversations().await);
    }

    fn knows(self, conversations: Result<Vec<Conversation>, Failure>) {
        match conversations {
            Ok(conversations) => self.conversations.set(conversations),
            Err(failure) => self.trouble.set(Some(failure.message)),
        }
    }

    /// A conversation changed here: the list shows it without reading the device again.
    fn put_in_list(self, conversation: Conversation) {
        self.conversations.update(|all| {
            all.retain(|one| one.id != conversation.id);
            all.push(conversation);
            newest_first(all);
        });
    }
}

/// The lock that the tab which leads a conversation has.
fn lock_of(id: &str) -> String {
    format!("satchel-conversation-{id}")
}

/// The keys and ids of the calls that are open in a rebuilt state.
fn open_calls(state: &AgentState) -> Vec<String> {
    let Some(run) = &state.run else { return Vec::new() };
    let open = run.calls.iter().filter(|record| !record.status.is_settled());
    open.flat_map(|record| [CallKey::new(&run.run_id, &record.call.id).to_string(), record.call.id.0.clone()])
        .collect()
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
    storage::session().set(CURRENT, id);
}

fn remembered() -> Option<String> {
    storage::session().get(CURRENT)
}
