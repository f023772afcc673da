//! Holds the conversations' drivers and lets the page talk to them: say, stop, approve, deny, retry,
//! new, clear, open.
//!
//! A conversation that is open here sits in a [`Session`]: its state, its driver and its lock. The
//! state on the screen is always the session's; what is true is the log, from which a session is rebuilt
//! at any time. A run goes on while another conversation is looked at.

mod answers;
mod branches;
mod context;
mod draw;
mod follow;
mod frozen;
mod leading;
mod log_writer;
mod manage;
mod manual;
mod past;
mod ports;
mod removal;
mod replay;
mod session;
pub mod words;

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::rc::Rc;

use agent::{AgentState, Ending, EntryBody, ItemBody, Ports, Spent, Template, UserMessage};
use futures::future::{AbortHandle, Abortable};
use leptos::prelude::*;
use leptos::task::spawn_local;
use litemap::LiteMap;
use protocol::{CallId, CallKey, Failure};
use ui_kit::Chosen;

use crate::log::{Conversation, ConversationStore, newest_first};
use crate::model::{ChosenModel, SessionModel};
use crate::privacy::{Privacy, RedactingModel};
use crate::toolbox::Toolbox;
use crate::{approvals, assistant, clock, drafts, i18n};
pub use answers::Answer;
use branches::Begun;
pub use context::Gauge;
use draw::Drawn;
pub use draw::Row;
use frozen::UnderWay;
pub use leading::mark_broken;
use log_writer::{LogWriter, listen};
pub use manage::Places;
use ports::{BrowserClock, HereAndNow, PartChecker, RandomIds};
pub use replay::Replayed;
pub use session::Role;
use session::Session;
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

/// The conversations of this page. A handle: copies are the same controller.
#[derive(Clone, Copy)]
pub struct Controller {
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
    /// The conversation that this tab removed last, with all its branches.
    pub removed: RwSignal<Vec<String>>,
    /// What a screen reader is told.
    pub announcement: RwSignal<String>,
    /// How full the model's window is.
    pub gauge: RwSignal<Gauge>,
    /// How the replay of the run on the screen stands; none while there was none.
    pub replayed: RwSignal<Option<Replayed>>,
    /// Calls that wait, as far as their cards have been drawn.
    seen: StoredValue<Vec<CallId>>,
    drawn: StoredValue<Drawn>,
    inner: StoredValue<Rc<Inner>, LocalStorage>,
}

struct Inner {
    store: Rc<ConversationStore>,
    /// The app's own tools, for hands.
    toolbox: Rc<Toolbox>,
    /// All tools, for the model.
    tools: Rc<dyn agent::Toolbox>,
    /// The models.
    model: Rc<ChosenModel>,
    /// What they get to see of the person.
    privacy: Privacy,
    /// What the person has chosen on the screen.
    chosen: Chosen,
    sessions: RefCell<LiteMap<String, Rc<Session>>>,
    /// The branches that were begun, by id, until their first message is kept.
    begun: RefCell<LiteMap<String, Begun>>,
}

/// What to run.
enum Run {
    Turn(UserMessage),
    Retry,
    Resume,
}

impl Controller {
    /// The one of this page.
    ///
    /// # Panics
    /// Outside the page's root component, which provides it.
    #[must_use]
    pub fn get() -> Self {
        expect_context()
    }

    /// Opens, over the app's own tools (for hands) and all tools (for the model), the conversation this tab had, or the newest of those that are `known` on the shelf, or a new one.
    #[must_use]
    pub fn start(
        store: Rc<ConversationStore>,
        known: Result<Vec<Conversation>, Failure>,
        (toolbox, tools): (Rc<Toolbox>, Rc<dyn agent::Toolbox>),
        model: Rc<ChosenModel>,
        privacy: Privacy,
        chosen: Chosen,
    ) -> Self {
        let kept = store.is_kept();
        let inner = Inner {
            store,
            toolbox,
            tools,
            model,
            privacy,
            chosen,
            sessions: RefCell::default(),
            begun: RefCell::default(),
        };
        let controller = Self {
            rows: RwSignal::new(Vec::new()),
            busy: RwSignal::new(true),
            asked: RwSignal::new(false),
            asked_in_words: RwSignal::new(false),
            seen: StoredValue::new(Vec::new()),
            role: RwSignal::new(Role::Loading),
            conversations: RwSignal::new(Vec::new()),
            current: RwSignal::new(String::new()),
            undone: RwSignal::new(BTreeSet::new()),
            trouble: RwSignal::new((!kept).then(|| i18n::no_storage().to_owned())),
            unsaved: RwSignal::new(false),
            model_failed: RwSignal::new(false),
            no_answer: RwSignal::new(false),
            broken_off: RwSignal::new(None),
            removed: RwSignal::new(Vec::new()),
            announcement: RwSignal::new(String::new()),
            gauge: RwSignal::default(),
            replayed: RwSignal::new(None),
            drawn: StoredValue::new(Drawn::default()),
            inner: StoredValue::new_local(Rc::new(inner)),
        };
        listen(move |message| controller.heard(message));
        controller.knows(known);
        let known = controller.conversations.get_untracked();
        // One that nothing was said in is on no list; what was begun in it is kept with this tab.
        let is_there = |id: &String| known.iter().any(|one| one.id == *id) || drafts::is_kept(id);
        let wanted = remembered().filter(is_there);
        match wanted.or_else(|| known.first().map(|conversation| conversation.id.clone())) {
            Some(id) => controller.open(id),
            None => controller.new_conversation(),
        }
        controller
    }

    /// Says something. False when it cannot be said now: another run is open, or another tab leads.
    pub fn submit(self, said: UserMessage) -> bool {
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
        if let Some(session) = self.session() {
            session.handle.borrow().cancel();
        }
    }

    /// Allows a call that waits.
    pub fn approve(self, call: CallId) {
        if let Some(session) = self.session() {
            session.handle.borrow().approve(call);
        }
    }

    /// Declines a call that waits.
    pub fn deny(self, call: CallId) {
        if let Some(session) = self.session() {
            session.handle.borrow().deny(call);
        }
    }

    /// Whether there is a conversation with this id: on the list, or with something begun in it, which is kept with this tab.
    #[must_use]
    pub fn is_there(self, id: &str) -> bool {
        self.conversations.with_untracked(|all| all.iter().any(|one| one.id == id)) || drafts::is_kept(id)
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
        let sitting = inner.sessions.borrow().get(&id).cloned();
        if let Some(session) = sitting {
            self.publish(&session);
            return;
        }
        let session = self.new_session(&id);
        inner.sessions.borrow_mut().insert(id, Rc::clone(&session));
        self.publish(&session);
        if self.is_imported_run(&session.id) {
            return self.read_imported_run(session);
        }
        self.ask_for(&session, Ask::InTurn);
        spawn_local(self.watch_if_led_elsewhere(session));
    }

    /// Shows the conversation of another tab as it is there. That a busy page is slow to give this one the lock, or to read the
    /// entries, says nothing of another tab.
    async fn watch_if_led_elsewhere(self, session: Rc<Session>) {
        while session.role.get() == Role::Loading && self.is_open(&session) {
            clock::sleep(LOCK_PATIENCE_MS).await;
            if !session.has_lock()
                && lock::is_taken(&lock_of(&session.id)).await
                && !session.has_lock()
                && session.role.get() == Role::Loading
            {
                session.role.set(Role::Watching);
                return self.reload(&session).await;
            }
        }
    }

    /// Takes the conversation over from the tab that leads it. It is asked to let go first: a run that is
    /// robbed may still write an entry that its successor has not read. Only a tab that does not hear is robbed.
    pub fn take_over(self) {
        let Some(session) = self.session() else { return };
        log_writer::tell(&format!("{}{}", log_writer::HAND_OVER, session.id));
        spawn_local(async move {
            for _ in 0..HAND_OVER_LOOKS {
                clock::sleep(HAND_OVER_LOOK_MS).await;
                if session.role.get() != Role::Watching || session.has_lock() {
                    return;
                }
            }
            self.ask_for(&session, Ask::AtOnce);
        });
    }

    /// Lets another tab lead: whatever runs here ends now, and that tab resumes it. One that is not looked at is read again when
    /// it is.
    fn give_up(self, session: &Rc<Session>) {
        session.abort();
        session.role.set(Role::Watching);
        if !self.is_shown(session) {
            return self.put_away(session);
        }
        self.publish(session);
        self.ask_for(session, Ask::InTurn);
    }

    /// Whether this is the session of the conversation on the screen. Another one of the same conversation may have been left in
    /// the middle of a wait.
    fn is_shown(self, session: &Rc<Session>) -> bool {
        self.session().is_some_and(|shown| Rc::ptr_eq(&shown, session))
    }

    /// Whether the conversation is still open here, in this session.
    fn is_open(self, session: &Rc<Session>) -> bool {
        self.session_of(&session.id).is_some_and(|open| Rc::ptr_eq(&open, session))
    }

    /// Lets go of a session.
    fn put_away(self, session: &Rc<Session>) {
        if self.is_open(session) {
            self.inner.with_value(|inner| inner.sessions.borrow_mut().remove(&session.id));
        }
    }

    /// A run or a fold is over: a conversation that is not looked at can be led by others again.
    fn settled(self, session: &Rc<Session>) {
        if !self.is_shown(session) {
            self.put_away(session);
        }
    }

    /// The conversation of this id, where it is open in this tab.
    fn session_of(self, id: &str) -> Option<Rc<Session>> {
        self.inner.with_value(|inner| inner.sessions.borrow().get(id).cloned())
    }

    /// Remembers that a call of a conversation was undone by its button.
    pub fn mark_undone(self, conversation: &str, key: String) {
        if self.current.with_untracked(|current| current == conversation) {
            self.undone.update(|undone| {
                undone.insert(key.clone());
            });
        }
        self.change_branches(conversation, move |conversation| {
            if !conversation.undone.contains(&key) {
                conversation.undone.push(key.clone());
            }
        });
    }

    fn session(self) -> Option<Rc<Session>> {
        let id = self.current.get_untracked();
        self.inner.with_value(|inner| inner.sessions.borrow().get(&id).cloned())
    }

    /// Gives up a session that nothing goes on in, so that another tab can lead the conversation.
    fn leave(self) {
        let Some(session) = self.session() else { return };
        // Between what was said and its entry nothing is open in the state yet, but the driver is away.
        let goes_on = session.driver.borrow().is_none() || session.state.borrow().status.is_busy();
        if session.role.get() != Role::Leading || !goes_on {
            self.put_away(&session);
        }
    }

    fn new_session(self, id: &str) -> Rc<Session> {
        let inner = self.inner.get_value();
        Rc::new_cyclic(|weak: &std::rc::Weak<Session>| {
            let weak = weak.clone();
            let told_ms = std::cell::Cell::new(0);
            let show = move |state: &AgentState| {
                if let Some(session) = weak.upgrade() {
                    session.state.replace(state.clone());
                    self.publish(&session);
                    let now_ms = clock::now_ms();
                    // What is saved is told as it is saved; this is only what streams.
                    if state.live.started_ms.is_some() && now_ms - told_ms.get() >= TELL_MS {
                        told_ms.set(now_ms);
                        follow::tell(&session.id, &state.live);
                    }
                }
            };
            let model = Rc::new(SessionModel::new(Rc::clone(&inner.model)));
            let ports = Ports {
                model: Rc::new(RedactingModel::new(Rc::clone(&model), inner.privacy)),
                toolbox: Rc::clone(&inner.tools),
                checker: Rc::new(PartChecker),
                log: Rc::new(LogWriter::new(Rc::clone(&inner.store), self)),
                clock: Rc::new(BrowserClock),
                ids: Rc::new(RandomIds),
                context_provider: Rc::new(HereAndNow {
                    toolbox: Rc::clone(&inner.toolbox),
                    chosen: inner.chosen,
                }),
                show: Rc::new(show),
            };
            Session::new(id, ports, model)
        })
    }

    fn ask_for(self, session: &Rc<Session>, ask: Ask) {
        let (granted, lost) = (Rc::downgrade(session), Rc::downgrade(session));
        let lock = Lock::ask(
            &lock_of(&session.id),
            ask,
            move || {
                if let Some(session) = granted.upgrade() {
                    self.lead(session);
                }
            },
            move || {
                if let Some(session) = lost.upgrade() {
                    self.give_up(&session);
                }
            },
        );
        session.lock.replace(Some(lock));
    }

    fn run(self, run: Run) -> bool {
        match self.session() {
            Some(session)
                if session.role.get() == Role::Leading && !session.state.borrow().status.is_busy() =>
            {
                self.run_in(session, run)
            }
            _ => false,
        }
    }

    fn run_in(self, session: Rc<Session>, run: Run) -> bool {
        let Some(mut driver) = session.driver.borrow_mut().take() else { return false };
        let mut state = session.state.borrow().clone();
        let (routed, settings) =
            self.inner.with_value(|inner| inner.model.plan(said_last(&state, &run), shows_pictures(&run)));
        let mut spent = Spent::of(&state);
        let beside =
            self.known(&session.id).and_then(|known| known.branch).map_or(0, |branch| branch.spent_micro_usd);
        spent.micro_usd = spent.micro_usd.saturating_add(beside);
        session.model.begin(routed, spent);
        // What an earlier run was told is not told twice.
        state.config = assistant::config();
        state.config.model = settings.model_name();
        state.config.routed = routed;
        settings.tune(&mut state.config);
        if let Some(template) = template_of(&session.id) {
            state.config = template.applied(state.config);
        }
        state.config.approvals = approvals::load();
        for tool in self.known(&session.id).map(|conversation| conversation.allowed).unwrap_or_default() {
            state.config.approvals.tools.insert(tool, agent::Rule::Never);
        }
        state.config.approvals = approvals::for_run(state.config.approvals);
        if !matches!(run, Run::Resume)
            && self.broken_off.with_untracked(|of| of.as_ref() == Some(&session.id))
        {
            // It was tried again, or something else was said: that it was broken off is over.
            self.broken_off.set(None);
        }
        if matches!(run, Run::Resume) {
            self.inner.with_value(|inner| inner.toolbox.comes_again(open_calls(&state)));
        }
        self.publish(&session);
        let (abort, registration) = AbortHandle::new_pair();
        session.running.replace(Some(abort));
        let weak = Rc::downgrade(&session);
        let waits =
            move || weak.upgrade().is_some_and(|session: Rc<Session>| frozen::waits(&session.state.borrow()));
        let under_way = UnderWay::begin(&session.id, waits);
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
            session.driver.replace(Some(driver));
            session.state.replace(state);
            self.publish(&session);
            self.tell_reach(&session);
            self.announce(&session);
            self.settled(&session);
        });
        true
    }

    async fn read_conversations(self) {
        let inner = self.inner.get_value();
        self.knows(inner.store.conversations().await);
    }

    fn knows(self, conversations: Result<Vec<Conversation>, Failure>) {
        match conversations {
            Ok(mut conversations) => {
                // What is not on the device yet is here all the same.
                self.inner.with_value(|inner| {
                    for Begun { conversation, .. } in inner.begun.borrow().values() {
                        if conversations.iter().all(|one| one.id != conversation.id) {
                            conversations.insert(0, conversation.clone());
                        }
                    }
                });
                self.conversations.set(conversations);
            }
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
