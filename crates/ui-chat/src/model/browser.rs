//! The browser's own model by the Prompt API (`LanguageModel`), where there is one: a Community Group draft of Web
//! Machine Learning, in Chrome and Edge. It runs on the device, knows no tools that suit us, and is asked in words
//! (`llm::structured`), held to the schema by `responseConstraint`.
//!
//! `web-sys` does not have it, so it is reached by name. A session is made for each answer: the conversation is ours
//! (D-09), and what is compacted has to be gone from its memory too.

use agent::ModelStream;
use async_stream::stream;
use futures::StreamExt;
use futures::stream::LocalBoxStream;
use js_sys::{Array, JSON, Object};
use llm::structured::{self, Asked};
use protocol::{Failure, FailureKind, Message, ModelEvent, ModelRequest, StopReason};
use wasm_bindgen::prelude::Closure;
use wasm_bindgen::{JsCast, JsValue};
use web::value::{self, called, set, words};
use web_sys::AbortController;

use crate::i18n;

/// Whether the browser has a model for us.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Availability {
    /// No, or none that this device can run.
    #[default]
    Unavailable,
    /// It can be fetched.
    Downloadable,
    /// It is being fetched.
    Downloading,
    /// It is there.
    Available,
}

impl Availability {
    /// Its word in the Prompt API.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Unavailable => "unavailable",
            Self::Downloadable => "downloadable",
            Self::Downloading => "downloading",
            Self::Available => "available",
        }
    }
}

/// Asks the browser. It fetches nothing.
pub async fn availability() -> Availability {
    let ask = async {
        let model = language_model()?;
        let said = called(&model, "availability", &[core_options().into()]).await.ok()?.as_string()?;
        use Availability::{Available, Downloadable, Downloading};
        [Available, Downloadable, Downloading].into_iter().find(|one| one.word() == said)
    };
    ask.await.unwrap_or_default()
}

/// Has the browser fetch its model, which needs a click of the person. `progress` is told how much is there, from 0.0 to
/// 1.0.
///
/// # Errors
/// When it could not be fetched; why, in the browser's words.
pub async fn download(progress: impl Fn(f64) + 'static) -> Result<(), String> {
    let model = language_model().ok_or_else(String::new)?;
    let on_progress = Closure::<dyn FnMut(JsValue)>::new(move |event: JsValue| {
        // Of one; earlier versions count bytes.
        let total = value::number(&event, "total").filter(|total| *total > 0.0).unwrap_or(1.0);
        if let Some(loaded) = value::number(&event, "loaded") {
            progress((loaded / total).clamp(0.0, 1.0));
        }
    });
    let listener = on_progress.as_ref().clone();
    let monitor = Closure::<dyn FnMut(JsValue)>::new(move |monitor: JsValue| {
        let _ = value::call(&monitor, "addEventListener", &["downloadprogress".into(), listener.clone()]);
    });
    let options = core_options();
    set(&options, "monitor", monitor.as_ref());
    let session = called(&model, "create", &[options.into()]).await.map_err(|error| words(&error))?;
    drop(Session { session, running: None });
    Ok(())
}

/// The model's answer.
pub fn stream(request: &ModelRequest) -> ModelStream {
    if request.tools.is_empty() {
        return raw(request.clone(), None);
    }
    structured::answer(request, |asked: &Asked| raw(asked.request.clone(), Some(asked.schema.clone())))
}

/// The text of an answer, held to a schema where the browser can do that.
fn raw(request: ModelRequest, schema: Option<String>) -> ModelStream {
    stream! {
        let session = match Session::start(&request).await {
            Ok(session) => session,
            Err(failure) => {
                yield Err(failure);
                return;
            }
        };
        let mut schema = schema;
        let mut said_something = false;
        let mut pieces = session.ask(&request, schema.as_deref());
        loop {
            let piece = match &mut pieces {
                Ok(pieces) => pieces.next().await,
                Err(error) => Some(Err(error.clone())),
            };
            match piece {
                None => break,
                Some(Ok(piece)) => {
                    if let Some(text) = piece.as_string().filter(|text| !text.is_empty()) {
                        said_something = true;
                        yield Ok(ModelEvent::TextDelta { text });
                    }
                }
                // The browser knows less of JSON Schema than there is: the prompt alone has to ask.
                Some(Err(error))
                    if !said_something && schema.is_some() && name(&error) == "NotSupportedError" =>
                {
                    schema = None;
                    pieces = session.ask(&request, None);
                }
                Some(Err(error)) => {
                    yield Err(failure(&error));
                    return;
                }
            }
        }
        yield Ok(ModelEvent::Done { reason: StopReason::Stop });
    }
    .boxed_local()
}

/// A session of the browser's model; dropping it ends what it is doing and frees what it holds.
struct Session {
    session: JsValue,
    running: Option<AbortController>,
}

impl Drop for Session {
    fn drop(&mut self) {
        if let Some(running) = &self.running {
            running.abort();
        }
        let _ = value::call(&self.session, "destroy", &[]);
    }
}

impl Session {
    /// A session that knows everything that was said before the last message.
    async fn start(request: &ModelRequest) -> Result<Self, Failure> {
        let missing = || Failure::new(FailureKind::Validation, i18n::browser_model_missing());
        let model = language_model().ok_or_else(missing)?;
        match availability().await {
            Availability::Available => {}
            Availability::Downloadable | Availability::Downloading => {
                return Err(Failure::new(FailureKind::Validation, i18n::browser_model_not_yet()));
            }
            Availability::Unavailable => return Err(missing()),
        }
        let running = AbortController::new().map_err(|error| failure(&error))?;
        let options = core_options();
        let before = request.messages.split_last().map(|(_, before)| before).unwrap_or_default();
        let prompts: Array = before.iter().map(|message| prompt(message)).collect();
        set(&options, "initialPrompts", &prompts);
        set(&options, "signal", &running.signal());
        let session = called(&model, "create", &[options.into()]).await.map_err(|error| failure(&error))?;
        Ok(Self { session, running: Some(running) })
    }

    /// Asks the last message; the answer comes in pieces.
    fn ask(
        &self,
        request: &ModelRequest,
        schema: Option<&str>,
    ) -> Result<LocalBoxStream<'static, Result<JsValue, JsValue>>, JsValue> {
        let options = Object::new();
        if let Some(schema) = schema {
            set(&options, "responseConstraint", &JSON::parse(schema)?);
            // The words say it already, and room is short.
            set(&options, "omitResponseConstraintInput", &true.into());
        }
        if let Some(running) = &self.running {
            set(&options, "signal", &running.signal());
        }
        let last: Array = request.messages.last().into_iter().map(|message| prompt(message)).collect();
        let stream = value::call(&self.session, "promptStreaming", &[last.into(), options.into()])?;
        Ok(web::http::pieces(stream.dyn_into()?).boxed_local())
    }
}

/// A message as the Prompt API has it.
fn prompt(message: &Message) -> JsValue {
    let (role, content) = match message {
        Message::System { content } => ("system", content),
        Message::User { content, .. } | Message::Tool { content, .. } => ("user", content),
        Message::Assistant { content, .. } => ("assistant", content),
    };
    value::object(&[("role", role.into()), ("content", content.as_str().into())]).into()
}

/// What we put in and want out: the same for the question whether there is a model, and for the model.
fn core_options() -> Object {
    let options = Object::new();
    for name in ["expectedInputs", "expectedOutputs"] {
        let text = Object::new();
        set(&text, "type", &"text".into());
        set(&text, "languages", &Array::of1(&"en".into()));
        set(&options, name, &Array::of1(&text));
    }
    options
}

fn language_model() -> Option<JsValue> {
    value::part(&js_sys::global(), "LanguageModel")
}

fn name(error: &JsValue) -> String {
    value::text(error, "name").unwrap_or_default()
}

/// What went wrong, by the names that the draft gives its errors.
fn failure(error: &JsValue) -> Failure {
    let kind = match name(error).as_str() {
        "QuotaExceededError" => FailureKind::ContextLimit,
        "NotAllowedError" | "SecurityError" => FailureKind::PermissionDenied,
        "AbortError" => FailureKind::Cancelled,
        "NotSupportedError" | "TypeError" | "SyntaxError" => FailureKind::Validation,
        _ => FailureKind::RetryableNetwork,
    };
    Failure::new(kind, i18n::browser_model_failed(&words(error)))
}
