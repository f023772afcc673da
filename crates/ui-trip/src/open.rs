//! The trip that is open: read through the tools whenever anyone changed something, and changed through them.
//!
//! Reads are numbered: an answer that comes late never overwrites a newer one.

use leptos::prelude::*;
use leptos::task::spawn_local;
use serde_json::{Value, json};
use ui_kit::panel::Page;
use ui_kit::{Phase, Say, memo, told};

use crate::model::{Finding, Item, Itinerary, Segment, Whole, items};
use crate::state::Trips;
use crate::words;

/// The trip that is open. A handle: copies are the same. A view over it is drawn anew for another trip.
#[derive(Clone, Copy)]
pub struct Open {
    /// The page's tools, clock and notes.
    pub page: Page,
    /// The panel's state.
    pub trips: Trips,
    /// Its id.
    pub id: StoredValue<String>,
    /// All of it, as it was read last.
    pub whole: RwSignal<Whole>,
    /// The itinerary.
    pub itinerary: Memo<Itinerary>,
    /// What is on it, in a person's order.
    pub segments: Memo<Vec<Segment>>,
    /// What does not work of it, the worst first.
    pub findings: Memo<Vec<Finding>>,
    /// What was said of the travellers, as the tools tell it; null where nothing was.
    pub profile: Memo<Value>,
    /// Whether it has been read.
    pub phase: RwSignal<Phase>,
    /// It is there no more: somebody deleted it.
    pub gone: RwSignal<bool>,
}

impl Open {
    /// Opens one, and reads it from now on.
    #[must_use]
    pub fn start(trips: Trips, id: String) -> Self {
        let whole = RwSignal::new(Whole::default());
        let open = Self {
            page: trips.page,
            trips,
            id: StoredValue::new(id),
            whole,
            itinerary: memo(move |_| whole.with(|whole| whole.itinerary.clone())),
            segments: memo(move |_| whole.with(|whole| whole.segments.clone())),
            findings: memo(move |_| whole.with(|whole| whole.findings.clone())),
            profile: memo(move |_| whole.with(|whole| whole.profile.clone())),
            phase: RwSignal::new(Phase::Loading),
            gone: RwSignal::new(false),
        };
        let reads = StoredValue::new(0_u32);
        ui_kit::effect(move |_| {
            open.page.tools.news.track();
            let read = reads.get_value() + 1;
            reads.set_value(read);
            spawn_local(async move {
                let answer = open.look().await;
                if reads.try_get_value() == Some(read) {
                    open.take(answer);
                }
            });
        });
        open
    }

    /// The trip as it is now; none where there is none with its id any more.
    async fn look(self) -> Result<Option<Whole>, String> {
        let id = self.id.try_get_value().unwrap_or_default();
        match self.page.tools.read("get_itinerary", json!({ "itinerary": id })).await {
            // A title could be the same as an id that is gone.
            Ok(answer) => match serde_json::from_value::<Whole>(answer) {
                Ok(whole) if whole.itinerary.id == id => Ok(Some(whole)),
                Ok(_) => Ok(None),
                Err(_) => Err(words::unreadable().to_owned()),
            },
            // Whether it is gone or only not to be had, the list says.
            Err(why) => {
                let all = list(self.page).await.map_err(|_| why.clone())?;
                if all.iter().any(|item| item.id == id) { Err(why) } else { Ok(None) }
            }
        }
    }

    fn take(self, answer: Result<Option<Whole>, String>) {
        let phase = match answer {
            Ok(Some(whole)) => {
                if self.whole.with_untracked(|before| *before != whole) {
                    self.whole.set(whole);
                }
                self.gone.set(false);
                Phase::Ready
            }
            Ok(None) => {
                self.gone.set(true);
                Phase::Ready
            }
            // What is on the screen is still the last known truth.
            Err(_) if self.phase.get_untracked() == Phase::Ready => return,
            Err(why) => Phase::Failed(why),
        };
        if self.phase.with_untracked(|before| *before != phase) {
            self.phase.set(phase);
        }
    }

    /// Calls a tool that changes this trip; `itinerary` is added to the arguments. What it did is said as `say` has it.
    ///
    /// # Errors
    /// One sentence for a person, which nobody has told yet.
    pub async fn call(self, tool: &str, arguments: Value, say: Say) -> Result<Value, String> {
        let (key, result) = self.page.tools.caller().manually(tool, self.with_id(arguments)).await;
        if result.is_ok() {
            self.page.tools.tell(key, &result, say);
        }
        self.page.tools.changed();
        result.map_err(told)
    }

    /// The same where a note is all that comes of it.
    pub fn run(self, tool: &'static str, arguments: Value, say: Say) {
        self.page.tools.run(tool, self.with_id(arguments), say, |_| {});
    }

    /// Calls a tool that only reads this trip.
    ///
    /// # Errors
    /// One sentence for a person.
    pub async fn read(self, tool: &str, arguments: Value) -> Result<Value, String> {
        self.page.tools.read(tool, self.with_id(arguments)).await
    }

    /// What a call would do, without doing it (S4-12).
    ///
    /// # Errors
    /// One sentence for a person: why it would be refused.
    pub async fn preview(self, tool: &str, arguments: Value) -> Result<Value, String> {
        self.page.tools.preview(tool, self.with_id(arguments)).await
    }

    /// A segment by its id, as it is now.
    #[must_use]
    pub fn segment(self, id: &str) -> Option<Segment> {
        self.segments.with_untracked(|all| all.iter().find(|segment| segment.id == id).cloned())
    }

    /// What a person calls a segment; empty for one that is not there.
    #[must_use]
    pub fn title_of(self, id: &str) -> String {
        let title = |all: &Vec<Segment>| all.iter().find(|one| one.id == id).map(|one| one.title.clone());
        self.segments.with(title).unwrap_or_default()
    }

    fn with_id(self, mut arguments: Value) -> Value {
        if let Some(fields) = arguments.as_object_mut() {
            fields.insert("itinerary".into(), self.id.get_value().into());
        }
        arguments
    }
}

/// All itineraries, also those that were put away.
///
/// # Errors
/// One sentence for a person.
pub async fn list(page: Page) -> Result<Vec<Item>, String> {
    let answer = page.tools.read("itinerary_list", json!({ "archived": true })).await?;
    items(&answer).ok_or_else(|| ui_kit::words::list_unreadable().to_owned())
}
