//! Time, chance, and what the model is told about now.

use std::rc::Rc;
use std::time::Duration;

use agent::{Clock, Context, Ids, Remembered, Surroundings, TOLD_TODOS, memories_in_short, todos_in_short};
use async_trait::async_trait;
use jiff::Zoned;
use serde_json::json;

use crate::Todos;

/// The system's clock.
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

/// The system's randomness.
pub struct RandomIds;

impl Ids for RandomIds {
    fn new_id(&self) -> String {
        local::random()
    }
}

/// Date and zone.
pub struct Here;

#[async_trait(?Send)]
impl Surroundings for Here {
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

/// Date, zone, the open to-dos and what is remembered over conversations.
pub struct HereWithTodos(
    /// Where those come from.
    pub Rc<Todos>,
);

#[async_trait(?Send)]
impl Surroundings for HereWithTodos {
    async fn context(&self) -> Context {
        let arguments = json!({ "status": "open", "sort": "due", "limit": TOLD_TODOS });
        // Without the list the model still has the tool.
        let listed = self.0.read("todo_list", arguments).await.unwrap_or_default();
        let outside = agent::holds_outside_text(&listed);
        let items = listed["items"].as_array().into_iter().flatten();
        let items = items.map(|todo| (todo["title"].as_str().unwrap_or_default(), todo["due"].as_str()));
        let open_todos = todos_in_short(items, listed["total"].as_u64().unwrap_or_default());
        let found = self.0.memories().await;
        let memories = found["items"].as_array().into_iter().flatten().filter_map(|item| {
            Some(Remembered {
                text: item["text"].as_str()?,
                is_preference: item["kind"].as_str() == Some("preference"),
                from_outside: agent::holds_outside_text(item),
            })
        });
        let total = found["total"].as_u64().unwrap_or_default();
        let (memories, outside_memories) = memories_in_short(memories, total);
        Context { open_todos, outside, memories, outside_memories, ..Here.context().await }
    }
}
