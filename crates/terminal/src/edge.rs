//! Time, chance, and what the model is told about now.

use std::rc::Rc;
use std::time::Duration;

use agent::{Clock, Context, Ids, Surroundings};
use async_trait::async_trait;
use jiff::Zoned;
use serde_json::{Value, json};

use crate::Todos;

/// The open to-dos a model is told about at the start of a run.
const TOLD_TODOS: u64 = 50;

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
            open_todos: String::new(),
        }
    }
}

/// Date, zone and the open to-dos.
pub struct HereWithTodos(
    /// Where the open to-dos come from.
    pub Rc<Todos>,
);

#[async_trait(?Send)]
impl Surroundings for HereWithTodos {
    async fn context(&self) -> Context {
        let arguments = json!({ "status": "open", "sort": "due", "limit": TOLD_TODOS });
        // Without the list the model still has the tool.
        let listed = self.0.read("todo_list", arguments).await.unwrap_or_default();
        Context { open_todos: in_short(&listed), ..Here.context().await }
    }
}

/// The to-dos of a list, one a line.
fn in_short(listed: &Value) -> String {
    let items = listed["items"].as_array().map(Vec::as_slice).unwrap_or_default();
    let mut lines: Vec<String> = items
        .iter()
        .map(|todo| {
            let title = todo["title"].as_str().unwrap_or_default();
            todo["due"].as_str().map_or_else(|| format!("- {title}"), |due| format!("- {title} (due {due})"))
        })
        .collect();
    let more = listed["total"].as_u64().unwrap_or_default().saturating_sub(items.len() as u64);
    if more > 0 {
        lines.push(format!("- and {more} more"));
    }
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::in_short;

    #[test]
    fn the_model_is_told_the_open_todos_in_short() {
        let listed = json!({"items": [{"title": "Milk", "due": "2026-11-22"}, {"title": "Tea"}], "total": 4});
        assert_eq!(in_short(&listed), "- Milk (due 2026-11-22)\n- Tea\n- and 2 more");
        assert_eq!(in_short(&json!(null)), "");
    }
}
