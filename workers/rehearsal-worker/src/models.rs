//! Models: the built-in one, which is in here, and the one that is chosen in the page, which the page asks.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::rc::Rc;

use agent::{EvidencePolicy, MemoryPolicy, Model, ModelStream};
use async_trait::async_trait;
use futures::StreamExt;
use futures::channel::mpsc::{UnboundedSender, unbounded};
use protocol::{Failure, ModelEvent, ModelRequest};
use rehearsal::{Cast, ModelSource, Role};

use crate::message::ToPage;
use crate::scope;

/// The name of the built-in model.
const BUILT_IN: &str = "built-in";

/// What is heard of a model that was asked.
pub enum Heard {
    /// It says something.
    Event(ModelEvent),
    /// It failed.
    Failed(Failure),
    /// It has nothing more to say.
    Ended,
}

/// The models of the page that are being asked.
#[derive(Default)]
pub struct OfThePage {
    next: Cell<u32>,
    asked: RefCell<BTreeMap<u32, UnboundedSender<Result<ModelEvent, Failure>>>>,
}

impl OfThePage {
    /// Something is heard of one.
    pub fn hear(&self, id: u32, heard: Heard) {
        let send = |result| {
            if let Some(to) = self.asked.borrow().get(&id) {
                // Whoever asked may be gone.
                drop(to.unbounded_send(result));
            }
        };
        match heard {
            Heard::Event(event) => send(Ok(event)),
            Heard::Failed(failure) => {
                send(Err(failure));
                self.asked.borrow_mut().remove(&id);
            }
            Heard::Ended => drop(self.asked.borrow_mut().remove(&id)),
        }
    }
}

/// The model that is chosen in the page.
struct Chosen(Rc<OfThePage>);

#[async_trait(?Send)]
impl Model for Chosen {
    async fn stream(&self, request: ModelRequest) -> Result<ModelStream, Failure> {
        let id = self.0.next.get();
        self.0.next.set(id + 1);
        let (to, from) = unbounded();
        self.0.asked.borrow_mut().insert(id, to);
        scope::tell(&ToPage::Ask { id, request: Box::new(request) });
        let asking = Asking { id, page: Rc::clone(&self.0) };
        Ok(futures::stream::unfold((from, asking), |(mut from, asking)| async move {
            from.next().await.map(|event| (event, (from, asking)))
        })
        .boxed_local())
    }
}

/// A model is being asked; the page is told when nobody listens any more.
struct Asking {
    id: u32,
    page: Rc<OfThePage>,
}

impl Drop for Asking {
    fn drop(&mut self) {
        if self.page.asked.borrow_mut().remove(&self.id).is_some() {
            scope::tell(&ToPage::Forget { id: self.id });
        }
    }
}

/// The built-in model.
struct BuiltIn;

#[async_trait(?Send)]
impl Model for BuiltIn {
    async fn stream(&self, request: ModelRequest) -> Result<ModelStream, Failure> {
        let events = builtin::respond_within(&request, &builtin::SKILLS)?;
        Ok(futures::stream::iter(events).map(Ok).boxed_local())
    }
}

/// Where the models of a rehearsal come from.
pub struct Source {
    chosen: Option<String>,
    page: Rc<OfThePage>,
}

impl Source {
    /// The built-in model, and the one of this name that the page asks.
    pub fn new(chosen: Option<String>, page: Rc<OfThePage>) -> Self {
        Self { chosen, page }
    }
}

impl ModelSource for Source {
    fn cast(&self, name: Option<&str>, role: Role) -> Result<Cast, String> {
        match (name, role, &self.chosen) {
            (Some(BUILT_IN), Role::Assistant, _) | (None, Role::Assistant, None) => Ok(Cast {
                model: Rc::new(BuiltIn),
                name: BUILT_IN.to_owned(),
                window_tokens: None,
                whole_tokens: u64::MAX,
                evidence: EvidencePolicy::Off,
                honours_seed: Some(true),
                usd_per_million: Some((0.0, 0.0)),
            }),
            (_, _, Some(chosen)) => Ok(Cast {
                model: Rc::new(Chosen(Rc::clone(&self.page))),
                name: chosen.clone(),
                window_tokens: None,
                whole_tokens: MemoryPolicy::default().whole_tokens,
                evidence: EvidencePolicy::Mark,
                honours_seed: None,
                usd_per_million: None,
            }),
            (_, role, None) => {
                let what = match role {
                    Role::Assistant => "the assistant",
                    Role::Client => "the client",
                    Role::Tool => "a tool",
                    Role::Judge => "the judge",
                };
                Err(format!("a model is to play {what}: choose one in the settings"))
            }
        }
    }
}
