//! Time, chance, and what the model is told about now.

use std::rc::Rc;
use std::sync::LazyLock;
use std::time::{Duration, Instant};

use agent::{Clock, Context, ContextBlock, ContextProvider, Ids};
use async_trait::async_trait;
use jiff::Zoned;
use serde_json::json;

use crate::{Subject, Todos};

/// When this program began: a clock that nothing sets back.
static BEGAN: LazyLock<Instant> = LazyLock::new(Instant::now);

/// Milliseconds since this program began, for limits that count in a window (D-14).
#[must_use]
pub fn monotonic_ms() -> u64 {
    u64::try_from(BEGAN.elapsed().as_millis()).unwrap_or(u64::MAX)
}

/// The agent's clock port over the system's clock; it sleeps on tokio's timer.
pub struct SystemClock;

#[async_trait(?Send)]
impl Clock for SystemClock {
    fn now_ms(&self) -> i64 {
        local::now_ms()
    }

    async fn sleep(&self, ms: u64) {
        tokio::time::sleep(Duration::from_millis(ms)).await;
    }
}

#[async_trait(?Send)]
impl llm::Timer for SystemClock {
    fn now_ms(&self) -> i64 {
        local::now_ms()
    }

    fn jitter(&self) -> f64 {
        let digits = local::random();
        let head = digits.get(..8).and_then(|head| u32::from_str_radix(head, 16).ok()).unwrap_or_default();
        f64::from(head) / 4_294_967_296.0
    }

    async fn sleep(&self, ms: u64) {
        tokio::time::sleep(Duration::from_millis(ms)).await;
    }
}

/// The agent's port for new ids, over the system's randomness.
pub struct RandomIds;

impl Ids for RandomIds {
    fn new_id(&self) -> String {
        local::random()
    }
}

/// What a model is told at the start of a run: the date, the time and the zone of this machine, and nothing of any tool.
pub struct Here;

#[async_trait(?Send)]
impl ContextProvider for Here {
    async fn context(&self) -> Context {
        let now = Zoned::now();
        Context {
            civil: now.strftime("%Y-%m-%dT%H:%M%:z").to_string(),
            weekday: now.strftime("%A").to_string(),
            zone: now.time_zone().iana_name().unwrap_or("UTC").to_owned(),
            ..Context::default()
        }
    }
}

/// Date, zone, and what the tools' domains have to tell.
pub struct HereWithTools(
    /// Where that comes from.
    pub Rc<Todos>,
);

#[async_trait(?Send)]
impl ContextProvider for HereWithTools {
    async fn context(&self) -> Context {
        // Without it the model still has the tools.
        let told = self.0.read(toolbox::CONTEXT, json!({})).await.unwrap_or_default();
        Context { blocks: ContextBlock::all_of(&told), ..Here.context().await }
    }
}

/// The same in a conversation that is about one thing (S4-02).
pub struct HereAbout {
    /// Where it comes from.
    pub todos: Rc<Todos>,
    /// What the conversation is about.
    pub subject: Subject,
}

#[async_trait(?Send)]
impl ContextProvider for HereAbout {
    async fn context(&self) -> Context {
        let Self { todos, subject } = self;
        let told = todos.read(toolbox::CONTEXT, json!({ "about": subject.id })).await.unwrap_or_default();
        let mut blocks = ContextBlock::all_of(&told);
        // Another one may be called as this one's id is.
        if !told.is_null() && !Subject::all_of(&told).iter().any(|there| there.id == subject.id) {
            blocks.push(ContextBlock {
                name: "subject".to_owned(),
                title: "What this is about".to_owned(),
                lead: "This conversation was about something that is not there any more. Say so before anything is changed, and ask \
                       what is meant instead:"
                    .to_owned(),
                text: format!("- {}", subject.title),
                // Whoever wrote its words is not known any more.
                outside: true,
                stable: false,
            });
        }
        Context { blocks, ..Here.context().await }
    }
}
