//! An owner: their to-dos, their sessions, what they may spend and how fast they may write. All of it on one thread.

mod named;

use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

use agent::{AgentConfig, Disposition, EntryBody, Status};
use futures::{StreamExt, stream};
use llm::{Rates, Throttle, Wait};
use protocol::CallId;
use serde_json::Value;
use sha2::{Digest, Sha256};
use store::StoreError;
use terminal::{Player, monotonic_ms};
use tokio::sync::{Mutex, mpsc};
use tokio::task::spawn_local;

use crate::cluster::Home;
use crate::cursor::Cursor;
use crate::feed::{Feed, Reader};
use crate::kept::{About, Ask, Kept, Shelf};
use crate::money::{self, Money};
use crate::options::{Limits, ModelChoice, NowMs};
use crate::problem::{self, Code, Refusal};
use crate::run::{self, Means, Places};
use crate::session::{Reply, Session, rfc3339, run_id};
use crate::wire::{self, LONGEST_NAME, NewAnswer, NewSession, SessionState, Speaker};

/// The table of what a session may be about.
const ITINERARIES: &str = "itineraries";

/// How many frames wait for a client that reads slowly, before its events wait too. The run does not.
const FRAMES: usize = 64;

/// How many sessions are read at once when an owner is opened: where they are kept elsewhere, most of it is waiting.
const READ_AT_ONCE: usize = 16;

/// How long it is until a session that is kept elsewhere is tried again.
const AGAIN: Duration = Duration::from_secs(1);

/// How often that pause is doubled for one that broke off again and again.
const MOST_DOUBLINGS: u32 = 5;

/// How often one is tried that is kept elsewhere.
const READ_TRIES: u32 = 5;

/// How long it is, at least and at most, until sessions are looked for again that nobody uses any more.
const SHORTEST_PAUSE: Duration = Duration::from_millis(50);
const LONGEST_PAUSE: Duration = Duration::from_secs(60);

/// What is the same for all owners.
#[derive(Clone)]
pub(crate) struct Common {
    pub model: ModelChoice,
    pub instructions: String,
    pub limits: Limits,
    pub clock: NowMs,
    pub places: Arc<Places>,
}

/// Why an owner's things cannot be used.
#[derive(Debug, thiserror::Error)]
pub(crate) enum OpenError {
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error(transparent)]
    Model(#[from] terminal::RemoteModelError),
}

/// Somebody with a token.
pub(crate) struct Owner {
    means: Means,
    shelf: Rc<dyn Shelf>,
    config: AgentConfig,
    limits: Limits,
    messages: RefCell<Throttle>,
    /// The same for tokens that have a rate of their own, by their places.
    by_token: RefCell<BTreeMap<usize, Rc<RefCell<Throttle>>>>,
    made: RefCell<Throttle>,
    /// Held while a session is made: the same key at the same time makes one.
    making: Mutex<()>,
    /// Sessions that nobody was told of and that could not be taken away again.
    unmade: RefCell<BTreeSet<String>>,
    sessions: RefCell<BTreeMap<String, Rc<Session>>>,
    /// Another process has the owner: what is found here is nothing that is so.
    is_left: Cell<bool>,
}

impl Owner {
    /// The owner whose things are kept there. Messages that were not answered when the last process ended are answered now.
    ///
    /// # Errors
    /// When something of it cannot be read.
    pub(crate) async fn open(home: Home, common: &Common) -> Result<Rc<Self>, OpenError> {
        let player = money::player(&common.model)?;
        let money = Rc::new(Money::new(home.sums, common.limits.spending));
        let sessions = read_all(&home.shelf, &money).await?;
        let server = local::open_over(home.todos.await?).await?;
        let owner = Rc::new(Self {
            config: config(common, &player),
            means: Means {
                server,
                player,
                money,
                places: Arc::clone(&common.places),
                clock: common.clock.clone(),
                is_elsewhere: home.shelf.is_elsewhere(),
            },
            shelf: home.shelf,
            limits: common.limits,
            messages: RefCell::default(),
            by_token: RefCell::default(),
            made: RefCell::default(),
            making: Mutex::default(),
            unmade: RefCell::default(),
            sessions: RefCell::new(sessions),
            is_left: Cell::new(false),
        });
        let open: Vec<Rc<Session>> = owner.sessions.borrow().values().cloned().collect();
        for session in open.into_iter().filter(|session| session.is_busy()) {
            if let Err(error) = owner.ensure_running(&session).await {
                eprintln!("satchel: session {} cannot go on: {}", session.id, error.detail);
                if owner.shelf.is_elsewhere() {
                    spawn_local(go_on(Rc::downgrade(&owner), session, 0));
                }
            }
        }
        let upkeep = Rc::downgrade(&owner);
        let pause = common.limits.memory.clamp(SHORTEST_PAUSE, LONGEST_PAUSE);
        spawn_local(async move {
            loop {
                tokio::time::sleep(pause).await;
                let Some(owner) = upkeep.upgrade() else { return };
                let sessions = owner.sessions.borrow();
                sessions.values().for_each(|session| session.unload(owner.limits.memory));
            }
        });
        Ok(owner)
    }

    /// Another process has the owner from now on: what runs is ended where it stands, and who reads along is told no more.
    pub(crate) fn leave(&self) {
        self.is_left.set(true);
        self.sessions.borrow().values().for_each(|session| session.end());
    }

    pub(crate) fn is_left(&self) -> bool {
        self.is_left.get()
    }

    /// Does what waits for a quiet moment.
    pub(crate) async fn close(&self) {
        terminal::Todos::over(self.means.server.clone()).close().await;
    }

    /// Makes a session. The same key again gives the same one, as long as it is there.
    ///
    /// # Errors
    /// `InvalidFields`, `IdempotencyKeyReused`, `ItineraryNotFound`, `AmbiguousItinerary`, `TooManySessions`, `RateLimitExceeded`,
    /// `StorageFailed`.
    pub(crate) async fn create(
        &self,
        new: NewSession,
        key: Option<String>,
    ) -> Result<wire::Session, Refusal> {
        let name = |name: &str, text: Option<String>| match text.map(|text| text.trim().to_owned()) {
            Some(text) if text.chars().count() > LONGEST_NAME => Err(Refusal::new(
                Code::InvalidFields,
                format!("`{name}` has more than {LONGEST_NAME} characters."),
            )),
            text => Ok(text.filter(|text| !text.is_empty())),
        };
        let key = key.map(|key| Sha256::digest(key).iter().map(|byte| format!("{byte:02x}")).collect());
        let (title, itinerary) = (name("title", new.title)?, name("itinerary", new.itinerary)?);
        let mut about = About { title, itinerary, subject: None, key };
        let _making = self.making.lock().await;
        if let Some(made) = self.made_with(&about) {
            return Ok(self.told(&*made?).await);
        }
        if let Some(named) = &about.itinerary {
            about.subject = Some(self.itinerary(named).await?);
        }
        let most = self.limits.sessions;
        if self.sessions.borrow().len() >= most {
            let detail = format!("There are {most} sessions, and no more may be made. Delete some.");
            return Err(Refusal::new(Code::TooManySessions, detail));
        }
        let most = self.limits.sessions_per_minute;
        admit(&self.made, most, || format!("A token may make {most} sessions a minute."))?;
        self.take_away_unmade().await?;
        let id = local::random();
        let made = async {
            let kept = Kept::new(self.shelf.journal(&id).await?);
            Session::make(id.clone(), kept, about, &self.config, self.now_ms()).await
        };
        let session = match made.await {
            Ok(session) => session,
            Err(error) => {
                // It may be written all the same, and nobody is told its id: the same key would make another beside it.
                self.unmade.borrow_mut().insert(id.clone());
                drop(self.take_away_unmade().await);
                return Err(problem::not_kept(&id, &error));
            }
        };
        let told = session.told(self.now_ms());
        self.sessions.borrow_mut().insert(id, Rc::new(session));
        Ok(told)
    }

    /// Takes away what nobody was told of. Before another one is made: the same key may be that one's.
    async fn take_away_unmade(&self) -> Result<(), Refusal> {
        let unmade = self.unmade.borrow().clone();
        for id in unmade {
            self.shelf.forget(&id).await.map_err(|error| problem::not_kept(&id, &error))?;
            self.unmade.borrow_mut().remove(&id);
        }
        Ok(())
    }

    /// The session that was made with the same key; a refusal where it was made as something else.
    fn made_with(&self, about: &About) -> Option<Result<Rc<Session>, Refusal>> {
        let key = about.key.as_ref()?;
        let sessions = self.sessions.borrow();
        let is_it = |session: &&Rc<Session>| !session.is_gone() && session.about.key.as_ref() == Some(key);
        let session = sessions.values().find(is_it)?;
        Some(if session.about.is_asked_as(about) {
            Ok(Rc::clone(session))
        } else {
            Err(Refusal::new(
                Code::IdempotencyKeyReused,
                "This Idempotency-Key made another session before. A new session needs a new key.",
            ))
        })
    }

    /// All sessions; what was last used comes first.
    pub(crate) async fn list(&self) -> wire::SessionList {
        let mut sessions = self.here();
        order::sort_by_key(&mut sessions, |session| std::cmp::Reverse(session.last_ms()));
        self.all_told(&sessions).await
    }

    /// A session with what was said in it.
    ///
    /// # Errors
    /// `SessionNotFound`, `AmbiguousSession`, `StorageFailed`.
    pub(crate) async fn detail(&self, name: &str) -> Result<wire::SessionDetail, Refusal> {
        let session = self.find(name).await?;
        self.load(&session).await?;
        let mut transcript = Vec::new();
        let mut questions = Vec::new();
        if let Some(feed) = session.feed() {
            let mut line = |role, text: &str, at_ms| {
                if !text.is_empty() {
                    transcript.push(wire::Line { role, text: text.to_owned(), at: rfc3339(at_ms) });
                }
            };
            for entry in feed.state().log() {
                match &entry.body {
                    EntryBody::User { text, .. } => line(Speaker::User, text, entry.at_ms),
                    EntryBody::Response { text, .. } => line(Speaker::Assistant, text, entry.at_ms),
                    EntryBody::Ended { partial: Some(partial), .. } => {
                        line(Speaker::Assistant, &partial.text, entry.at_ms);
                    }
                    _ => {}
                }
            }
            questions = feed.open_questions();
        }
        Ok(wire::SessionDetail { session: self.told(&session).await, transcript, questions })
    }

    /// Forgets a session. What its messages did to the to-dos stays. From the first try on it is there for nothing but another one.
    ///
    /// # Errors
    /// `SessionNotFound`, `AmbiguousSession`, `StorageFailed`.
    pub(crate) async fn delete(&self, name: &str) -> Result<(), Refusal> {
        // One that could not be deleted before is found by its id, and by nothing else.
        let tried = self.sessions.borrow().get(name).filter(|session| session.is_gone()).cloned();
        let session = match tried {
            Some(tried) => tried,
            None => self.find(name).await?,
        };
        session.end();
        self.shelf.forget(&session.id).await.map_err(|error| problem::not_kept(&session.id, &error))?;
        self.sessions.borrow_mut().remove(&session.id);
        Ok(())
    }

    /// Takes a message, or the wish to try the last one again, and gives the events of its answer, after `at` where that is said.
    /// The same key again gives the same. `rate` is the messages a minute of a token that has a limit of its own, by the token's place.
    ///
    /// # Errors
    /// Each that a message may be refused with.
    pub(crate) async fn ask(
        self: &Rc<Self>,
        name: &str,
        key: &str,
        ask: Ask,
        at: Option<Cursor>,
        rate: Option<(usize, u32)>,
    ) -> Result<mpsc::Receiver<String>, Refusal> {
        let session = self.find(name).await?;
        self.load(&session).await?;
        let run_id = run_id(&session.id, key);
        match session.was_asked(&run_id, &ask) {
            Some(true) => {
                self.ensure_running(&session).await?;
                return Ok(self.follow(session, Reader::new(Some(run_id), at)));
            }
            Some(false) => {
                return Err(Refusal::new(
                    Code::IdempotencyKeyReused,
                    "This Idempotency-Key came with another message before. A new message needs a new key.",
                ));
            }
            None => {}
        }
        if session.state(self.now_ms()) == SessionState::Expired {
            return Err(Refusal::new(
                Code::SessionExpired,
                "Nothing was said here for 30 days. It can be read; make a new session to go on.",
            ));
        }
        if session.is_busy() {
            self.ensure_running(&session).await?;
            return Err(if session.is_waiting() {
                Refusal::new(
                    Code::SessionBusy,
                    "The session waits for an answer: POST it to /answers, or decline it there.",
                )
            } else {
                Refusal::new(Code::SessionBusy, "The session answers another message. Wait for its end.")
                    .after(1)
            });
        }
        let status = session.feed().map(|feed| feed.state().status.clone()).unwrap_or_default();
        if ask == Ask::Retry && matches!(status, Status::Idle | Status::Complete) {
            return Err(Refusal::new(
                Code::NothingToRetry,
                "The last message was answered, or there is none. Send a new one.",
            ));
        }
        if !self.means.places.has_room() {
            return Err(Refusal::new(
                Code::Overloaded,
                format!("{} messages are being answered, and as many wait as may.", self.limits.runs),
            )
            .after(5));
        }
        let most = self.limits.messages_per_minute;
        // The token's own first: what it refuses does not count for the others of the owner.
        if let Some((token, most)) = rate {
            let own = Rc::clone(self.by_token.borrow_mut().entry(token).or_default());
            admit(&own, most, || format!("This token may send {most} messages a minute."))?;
        }
        admit(&self.messages, most, || format!("A token may send {most} messages a minute."))?;
        // From here on nobody else begins a run in this session.
        let replies = session.claim();
        if let Err(error) = session.ask(&run_id, &ask, self.now_ms()).await {
            session.release();
            return Err(if session.is_gone() { not_found() } else { problem::not_kept(&session.id, &error) });
        }
        self.spawn(&session, (run_id.clone(), ask), replies, 0);
        Ok(self.follow(session, Reader::new(Some(run_id), None)))
    }

    /// The events of a session after a place; without one, of its last message. None where there is nothing, and nothing to come.
    ///
    /// # Errors
    /// `SessionNotFound`, `AmbiguousSession`, `StorageFailed`.
    pub(crate) async fn events(
        self: &Rc<Self>,
        name: &str,
        at: Option<Cursor>,
    ) -> Result<Option<mpsc::Receiver<String>>, Refusal> {
        let session = self.find(name).await?;
        self.load(&session).await?;
        self.ensure_running(&session).await?;
        let reader = {
            let Some(feed) = session.feed() else { return Ok(None) };
            let open = session.open().map(|(run_id, _)| run_id);
            let last = || open.or_else(|| feed.last_run().cloned());
            let reader = Reader::new(if at.is_some() { None } else { last() }, at);
            let is_busy = session.is_busy();
            if !is_busy && reader.clone().read(&feed, is_busy).is_empty() {
                return Ok(None);
            }
            reader
        };
        Ok(Some(self.follow(session, reader)))
    }

    /// Takes an answer to what a session asks.
    ///
    /// # Errors
    /// `SessionNotFound`, `AmbiguousSession`, `QuestionNotFound`, `InvalidAnswer`, `StorageFailed`.
    pub(crate) async fn answer(
        self: &Rc<Self>,
        name: &str,
        answer: NewAnswer,
    ) -> Result<wire::Session, Refusal> {
        let session = self.find(name).await?;
        self.load(&session).await?;
        self.ensure_running(&session).await?;
        let call_id = CallId(answer.call_id);
        let nothing = || {
            Refusal::new(
                Code::QuestionNotFound,
                "Nothing waits under this callId: it was answered, or never asked.",
            )
        };
        let record = session
            .feed()
            .and_then(|feed| feed.state().awaiting().find(|record| record.call.id == call_id).cloned())
            .ok_or_else(nothing)?;
        let wrong = |why: String| Refusal::new(Code::InvalidAnswer, why);
        let reply = if answer.decline {
            Reply::Deny
        } else if record.plan == Disposition::Question {
            let answers = Value::Object(answer.answers);
            agent::reply(&record, &answers).map_err(wrong)?;
            Reply::Answer(answers)
        } else {
            match answer.answers.get(wire::APPROVE).and_then(Value::as_str) {
                Some(wire::YES) => Reply::Approve,
                Some(wire::ALL) => Reply::Allow,
                Some(wire::NO) => Reply::Deny,
                _ => {
                    let (yes, all, no) = (wire::YES, wire::ALL, wire::NO);
                    return Err(wrong(format!("Answer `{}` with {yes}, {all} or {no}.", wire::APPROVE)));
                }
            }
        };
        let mut changed = session.watch();
        if !session.reply(call_id.clone(), reply) {
            return Err(nothing());
        }
        // Said to be taken when it is kept: a process that is killed after that knows it.
        let waits = || {
            let is_it = |record: &agent::CallRecord| record.call.id == call_id;
            session.feed().is_some_and(|feed| feed.state().awaiting().any(is_it))
        };
        while waits() {
            if session.is_gone() {
                break;
            }
            if !session.is_running() || changed.changed().await.is_err() {
                return Err(Refusal::new(
                    Code::StorageFailed,
                    "The answer could not be kept. Send it again.",
                ));
            }
        }
        // Nobody waits where it was deleted meanwhile, and nothing was done.
        if session.is_gone() {
            return Err(not_found());
        }
        Ok(self.told(&session).await)
    }

    fn now_ms(&self) -> i64 {
        self.means.clock.now_ms()
    }

    async fn load(&self, session: &Session) -> Result<(), Refusal> {
        session.load(&self.config).await.map_err(|error| problem::not_kept(&session.id, &error))
    }

    /// Goes on with a message that nobody answers just now: the process that did was ended, or it could not write, or it waited for
    /// a person long enough to be left to the disk.
    async fn ensure_running(self: &Rc<Self>, session: &Rc<Session>) -> Result<(), Refusal> {
        self.ensure_running_again(session, 0).await
    }

    /// The same for one that broke off so many times in a row.
    async fn ensure_running_again(
        self: &Rc<Self>,
        session: &Rc<Session>,
        breaks: u32,
    ) -> Result<(), Refusal> {
        self.load(session).await?;
        if let (false, Some(open)) = (session.is_running(), session.open()) {
            let replies = session.claim();
            self.spawn(session, open, replies, breaks);
        }
        Ok(())
    }

    fn spawn(
        self: &Rc<Self>,
        session: &Rc<Session>,
        open: (protocol::RunId, Ask),
        replies: mpsc::UnboundedReceiver<(CallId, Reply)>,
        breaks: u32,
    ) {
        session.change(Feed::mend);
        let run = run::run(self.means.clone(), Rc::clone(session), open, replies);
        let (owner, session_) = (Rc::downgrade(self), Rc::clone(session));
        let is_elsewhere = self.means.is_elsewhere;
        let task = spawn_local(async move {
            run.await;
            // What could not be kept elsewhere can in a moment, and whoever asked may have left.
            if is_elsewhere && session_.is_busy() {
                spawn_local(go_on(owner, session_, breaks.saturating_add(1)));
            }
        });
        session.set_task(task.abort_handle());
    }

    /// Hands on what a reader reads, until there is no more or nobody listens.
    fn follow(&self, session: Rc<Session>, mut reader: Reader) -> mpsc::Receiver<String> {
        let (frames, receiver) = mpsc::channel(FRAMES);
        let mut changed = session.watch();
        spawn_local(async move {
            loop {
                changed.borrow_and_update();
                let new = session.feed().map(|feed| reader.read(&feed, session.is_busy()));
                for frame in new.unwrap_or_default() {
                    if frames.send(frame).await.is_err() {
                        return;
                    }
                }
                if reader.is_over() || session.is_gone() {
                    return;
                }
                tokio::select! {
                    () = frames.closed() => return,
                    changed = changed.changed() => if changed.is_err() { return },
                }
            }
        });
        receiver
    }
}

/// Tries again to go on with a session that could not be read, or whose answer could not be kept: nobody may come who asks for it. The
/// more often that was so, the later.
async fn go_on(owner: std::rc::Weak<Owner>, session: Rc<Session>, breaks: u32) {
    loop {
        tokio::time::sleep(AGAIN * 2_u32.pow(breaks.min(MOST_DOUBLINGS))).await;
        let Some(owner) = owner.upgrade().filter(|owner| !owner.is_left()) else { return };
        let is_over = session.is_gone() || session.is_running() || !session.is_busy();
        if is_over || owner.ensure_running_again(&session, breaks).await.is_ok() {
            return;
        }
    }
}

/// All sessions of a shelf, what they spent for itineraries counted.
///
/// # Errors
/// When they cannot be listed, or one that is elsewhere cannot be read.
async fn read_all(shelf: &Rc<dyn Shelf>, money: &Money) -> Result<BTreeMap<String, Rc<Session>>, StoreError> {
    let reading = shelf.ids().await?.into_iter().map(|id| async move {
        let read = read_one(shelf, &id).await;
        (read, id)
    });
    let mut read = stream::iter(reading).buffer_unordered(READ_AT_ONCE);
    let mut sessions = BTreeMap::new();
    while let Some((read, id)) = read.next().await {
        match read {
            Ok(Some(session)) => {
                if let Some(itinerary) = session.about.spends_for() {
                    let spent = money.itinerary(itinerary);
                    spent.set(spent.get().saturating_add(session.spent()));
                }
                sessions.insert(id, Rc::new(session));
            }
            // A process was ended while it made it: nobody was told of it.
            Ok(None) => {}
            // Without it its open message would wait for nobody knows what, and whoever asks for it would be told that it is not there.
            Err(error) if shelf.is_elsewhere() && !is_damaged(&error) => return Err(error),
            // One that is damaged keeps nobody from the others.
            Err(error) => eprintln!("satchel: session {id} cannot be read and is left as it is: {error}"),
        }
    }
    Ok(sessions)
}

/// Reads a session, again where what keeps it was only slow to answer.
async fn read_one(shelf: &Rc<dyn Shelf>, id: &str) -> Result<Option<Session>, StoreError> {
    let mut tries = 0;
    loop {
        tries += 1;
        let read = async { Session::read(id.to_owned(), Kept::new(shelf.journal(id).await?)).await };
        match read.await {
            Err(StoreError::Other(_)) if shelf.is_elsewhere() && tries < READ_TRIES => {
                tokio::time::sleep(SHORTEST_PAUSE).await;
            }
            done => return done,
        }
    }
}

fn is_damaged(error: &StoreError) -> bool {
    matches!(error, StoreError::Damaged(_))
}

fn not_found() -> Refusal {
    Refusal::new(
        Code::SessionNotFound,
        "There is no session with this id or title. GET /v1/sessions has those there are.",
    )
}

/// Counts one more of what an owner may do so often in a minute.
///
/// # Errors
/// `RateLimitExceeded`, with the seconds to wait; it does not count then.
fn admit(window: &RefCell<Throttle>, most: u32, what: impl FnOnce() -> String) -> Result<(), Refusal> {
    let rates = Rates { calls_per_minute: Some(most), tokens_per_hour: None };
    let wait_ms = match window.borrow_mut().admit(monotonic_ms(), 0, rates) {
        Ok(_counted) => return Ok(()),
        Err(Wait::Ms(ms)) => ms,
        Err(Wait::Forever) => 60_000,
    };
    Err(Refusal::new(Code::RateLimitExceeded, what()).after(wait_ms.div_ceil(1_000).max(1)))
}

/// What the agent of a session is told to be and how far it may go: as in the terminal.
fn config(common: &Common, player: &Player) -> AgentConfig {
    let mut config = AgentConfig::new(common.instructions.clone());
    config.own_tools.questions = true;
    player.configure(&mut config);
    config.limits.max_run_ms = u64::try_from(common.limits.run_time.as_millis()).unwrap_or(u64::MAX);
    config
}
