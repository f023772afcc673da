//! What of a person a model elsewhere gets to see: hidden always, after a question, or not at all.
//!
//! Only where the model is not on this device. What is found and how it comes back is [`llm::redact`]'s; here is who decides.

pub mod words;

use std::cell::RefCell;
use std::collections::VecDeque;
use std::rc::Rc;

use agent::ModelStream;
use async_trait::async_trait;
use futures::channel::oneshot;
use leptos::prelude::*;
use llm::redact::{Kind, Redactor};
use protocol::{Failure, FailureKind, ModelRequest};

use crate::i18n;
use crate::model::SessionModel;
use crate::parts::{NotLoaded, part};
use crate::settings::Hiding;

/// What the person says about what would be sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// Stand-ins are sent.
    Hide,
    /// It is sent as it is.
    Show,
    /// Nothing is sent, and the run is over.
    Stop,
}

/// The questions to the person. A handle: copies are the same.
#[derive(Clone, Copy)]
pub struct Privacy {
    /// What the question on the screen is about; empty while there is none.
    pub found: RwSignal<Vec<(Kind, String)>>,
    waiting: StoredValue<RefCell<VecDeque<Question>>, LocalStorage>,
}

struct Question {
    found: Vec<(Kind, String)>,
    answer: oneshot::Sender<Answer>,
}

impl Privacy {
    /// Nothing is asked yet.
    #[must_use]
    pub fn start() -> Self {
        Self { found: RwSignal::new(Vec::new()), waiting: StoredValue::new_local(RefCell::default()) }
    }

    async fn ask(self, found: Vec<(Kind, String)>) -> Answer {
        let (answer, said) = oneshot::channel();
        self.waiting.with_value(|waiting| waiting.borrow_mut().push_back(Question { found, answer }));
        let _asking = Asking(self);
        self.show_next();
        said.await.unwrap_or(Answer::Stop)
    }

    /// Takes the answer to the question on the screen.
    pub fn answer(self, answer: Answer) {
        let question = self.waiting.with_value(|waiting| waiting.borrow_mut().pop_front());
        if let Some(question) = question {
            // Whoever asked may have been stopped meanwhile.
            let _ = question.answer.send(answer);
        }
        self.show_next();
    }

    /// Shows the oldest question that somebody still waits for.
    fn show_next(self) {
        let next = self.waiting.with_value(|waiting| {
            let mut waiting = waiting.borrow_mut();
            waiting.retain(|question| !question.answer.is_canceled());
            waiting.front().map(|question| question.found.clone()).unwrap_or_default()
        });
        if self.found.with_untracked(|shown| *shown != next) {
            self.found.set(next);
        }
    }
}

/// Somebody who waits for an answer: when they are gone, so is the question.
struct Asking(Privacy);

impl Drop for Asking {
    fn drop(&mut self) {
        self.0.show_next();
    }
}

/// What finds and hides; only a request that leaves the device needs it.
#[derive(Clone, Copy)]
struct Hands {
    undecided: fn(&Redactor, &ModelRequest) -> Vec<(Kind, String)>,
    hide: fn(&mut Redactor, &mut ModelRequest),
    restored: fn(Redactor, ModelStream) -> ModelStream,
}

part! {
    elsewhere,
    /// What finds and hides, beside the models that it is hidden from.
    fn hands_part() -> Hands {
        Hands {
            undecided: |redactor, request| redactor.undecided(request),
            hide: |redactor, request| redactor.hide(request),
            restored: |redactor, stream| redactor.restored(stream),
        }
    }
}

/// The models of one conversation, which see what the person lets them see.
pub struct RedactingModel {
    model: Rc<SessionModel>,
    privacy: Privacy,
    redactor: RefCell<Redactor>,
}

impl RedactingModel {
    /// A conversation with `model`, as its settings say before each request.
    #[must_use]
    pub fn new(model: Rc<SessionModel>, privacy: Privacy) -> Self {
        Self { model, privacy, redactor: RefCell::default() }
    }
}

#[async_trait(?Send)]
impl agent::Model for RedactingModel {
    async fn stream(&self, mut request: ModelRequest) -> Result<ModelStream, Failure> {
        let settings = self.model.settings();
        let hiding = if settings.is_elsewhere() { settings.hiding } else { Hiding::Off };
        if hiding == Hiding::Off {
            return self.model.stream(request).await;
        }
        // Without it nothing is sent.
        let hands = hands_part()
            .await
            .map_err(|NotLoaded| Failure::new(FailureKind::Validation, i18n::part_not_loaded()))?;
        let undecided = (hands.undecided)(&self.redactor.borrow(), &request);
        if hiding == Hiding::Ask && !undecided.is_empty() {
            match self.privacy.ask(undecided.clone()).await {
                Answer::Hide => {}
                Answer::Show => {
                    self.redactor.borrow_mut().show(undecided.into_iter().map(|(_, value)| value))
                }
                Answer::Stop => return Err(Failure::new(FailureKind::Cancelled, i18n::not_sent())),
            }
        }
        (hands.hide)(&mut self.redactor.borrow_mut(), &mut request);
        let redactor = self.redactor.borrow().clone();
        Ok((hands.restored)(redactor, self.model.stream(request).await?))
    }
}
