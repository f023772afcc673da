//! The worker that plays, and the model of the page that it asks.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use agent::Model;
use futures::StreamExt;
use futures::future::{AbortHandle, Abortable};
use leptos::task::spawn_local;
use protocol::{Failure, ModelRequest};
use serde_json::{Value, json};
use web::listener::Listener;
use web_sys::{Event, MessageEvent, Worker, WorkerOptions, WorkerType};

use crate::outcome::Said;

/// Where its script is.
const SCRIPT: &str = "rehearsal/rehearsal-worker.js";

/// What is played.
pub struct Play {
    /// The scenario's text.
    pub text: String,
    /// The name of the page's model that answers; none for the built-in one.
    pub chosen: Option<String>,
    /// That model.
    pub model: Rc<dyn Model>,
}

/// A worker that plays. Dropping it ends it, whatever it is at.
pub struct Player {
    worker: Worker,
    asked: Asked,
    _listeners: [Listener; 3],
}

/// The answers of models that are being listened to, by the number of the asking.
type Asked = Rc<RefCell<BTreeMap<u32, AbortHandle>>>;

impl Drop for Player {
    fn drop(&mut self) {
        self.asked.take().into_values().for_each(|asking| asking.abort());
        self.worker.terminate();
    }
}

impl Player {
    /// Begins a worker and gives it this to play; `said` is told what it says, and None where it broke off.
    ///
    /// # Errors
    /// When the browser begins no worker.
    pub fn begin(play: Play, said: impl Fn(Option<Said>) + 'static) -> Result<Self, ()> {
        let options = WorkerOptions::new();
        options.set_type(WorkerType::Module);
        let worker = Worker::new_with_options(SCRIPT, &options).map_err(drop)?;
        let (said, asked) = (Rc::new(said), Asked::default());
        let (to, asking, heard) = (worker.clone(), Rc::clone(&asked), Rc::clone(&said));
        let message = Listener::on(&worker, "message", move |message: MessageEvent| {
            let text = message.data().as_string().unwrap_or_default();
            match serde_json::from_str::<Said>(&text) {
                Ok(Said::Ready) => {
                    let play = json!({"play": {
                        "file": "scenario", "text": play.text, "repeat": 1,
                        "chosen": play.chosen, "asks_page": play.chosen.is_some(),
                    }});
                    send(&to, &play);
                    heard(Some(Said::Ready));
                }
                Ok(Said::Ask { id, request }) => ask(&to, Rc::clone(&play.model), &asking, id, *request),
                Ok(Said::Forget { id }) => {
                    if let Some(asking) = asking.borrow_mut().remove(&id) {
                        asking.abort();
                    }
                }
                Ok(other) => heard(Some(other)),
                Err(_) => heard(None),
            }
        });
        // A panic, no memory, a script that cannot be had.
        let broke = |said: Rc<dyn Fn(Option<Said>)>| move |_: Event| said(None);
        let listeners = [
            message,
            Listener::on(&worker, "error", broke(said.clone())),
            Listener::on(&worker, "messageerror", broke(said)),
        ];
        Ok(Self { worker, asked, _listeners: listeners })
    }
}

fn send(to: &Worker, message: &Value) {
    // One that is ended hears nothing.
    drop(to.post_message(&message.to_string().into()));
}

/// Asks the page's model, and passes on what it says.
fn ask(to: &Worker, model: Rc<dyn Model>, asked: &Asked, id: u32, request: ModelRequest) {
    let (handle, registration) = AbortHandle::new_pair();
    asked.borrow_mut().insert(id, handle);
    let (to, asked) = (to.clone(), Rc::clone(asked));
    let work = async move {
        let told = match pass_on(&to, &*model, id, request).await {
            Ok(()) => json!({"ended": {"id": id}}),
            Err(failure) => json!({"failed": {"id": id, "failure": failure}}),
        };
        send(&to, &told);
        asked.borrow_mut().remove(&id);
    };
    // What is not listened to any more is stopped.
    spawn_local(async move {
        let _ = Abortable::new(work, registration).await;
    });
}

async fn pass_on(to: &Worker, model: &dyn Model, id: u32, request: ModelRequest) -> Result<(), Failure> {
    let mut stream = model.stream(request).await?;
    while let Some(event) = stream.next().await {
        send(to, &json!({"event": {"id": id, "event": event?}}));
    }
    Ok(())
}
