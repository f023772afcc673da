//! The workers that look at photos: as many as there are cores but one, begun with the first photo and ended with the last.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::rc::Rc;

use futures::channel::oneshot;
use futures::future::{Either, select};
use js_sys::{Object, Reflect};
use serde_json::Value;
use wasm_bindgen::{JsCast, JsValue};
use web::listener::Listener;
use web::names;
use web_sys::{Event, MessageEvent, Worker, WorkerOptions, WorkerType};

use crate::words;

/// Where its script is.
const SCRIPT: &str = "photo/photo-worker.js";

/// The database beside which bytes are kept; that of this page's app is `names::of` it.
pub const DATABASE: &str = "satchel";

/// The most workers at once: each holds a whole picture.
const MOST: usize = 4;

/// How long one photo, or one look over all of them, may take, in milliseconds: a hundred times what a large one does.
const PATIENCE_MS: u64 = 120_000;

/// How many workers there may be on this device.
pub fn size() -> usize {
    let cores = web_sys::window().map_or(2.0, |window| window.navigator().hardware_concurrency());
    (cores as usize).saturating_sub(1).clamp(1, MOST)
}

/// What waits for an answer, by the message's number.
type Waiting = Rc<RefCell<HashMap<u32, oneshot::Sender<Result<Value, Refusal>>>>>;

/// Why a worker did not do what it was asked.
#[derive(Clone, Debug)]
pub struct Refusal {
    /// In a sentence.
    pub why: String,
    /// The device has no room left: it would say the same of the next one.
    pub is_full: bool,
    /// The file that was left in a folder is another one by now.
    pub is_changed: bool,
}

impl From<Refusal> for String {
    fn from(refusal: Refusal) -> Self {
        refusal.why
    }
}

impl Refusal {
    /// It broke at this one.
    fn stopped() -> Self {
        Self { why: words::looking_broke_off().to_owned(), is_full: false, is_changed: false }
    }
}

/// A worker of this page. Dropping it ends it.
pub struct Looker {
    worker: Worker,
    waiting: Waiting,
    next: Cell<u32>,
    is_broken: Rc<Cell<bool>>,
    _listeners: [Listener; 3],
}

impl Looker {
    /// Begins a worker.
    ///
    /// # Errors
    /// When the browser begins none.
    pub async fn begin() -> Result<Self, String> {
        let options = WorkerOptions::new();
        options.set_type(WorkerType::Module);
        let worker =
            Worker::new_with_options(SCRIPT, &options).map_err(|_no_worker| words::no_looker().to_owned())?;
        let waiting = Waiting::default();
        let (is_ready, ready) = oneshot::channel::<()>();
        let is_ready = RefCell::new(Some(is_ready));
        let heard = Rc::clone(&waiting);
        let is_broken = Rc::new(Cell::new(false));
        let is_spent = Rc::clone(&is_broken);
        let message = Listener::on(&worker, "message", move |message: MessageEvent| {
            let text = message.data().as_string().unwrap_or_default();
            let Ok(answer) = serde_json::from_str::<Value>(&text) else {
                // Anything that is no answer is its first word.
                if let Some(is_ready) = is_ready.borrow_mut().take() {
                    // Whoever waited has given up.
                    let _ = is_ready.send(());
                }
                return;
            };
            let id = answer.get("id").and_then(Value::as_f64).unwrap_or_default() as u32;
            let is = |name: &str| answer.get(name) == Some(&Value::Bool(true));
            if is("hangs") {
                // The browser is still decoding there: it holds the picture until its worker ends.
                is_spent.set(true);
            }
            if let Some(waits) = heard.borrow_mut().remove(&id) {
                let told = match answer.get("trouble").and_then(Value::as_str) {
                    Some(trouble) => Err(Refusal {
                        why: trouble.to_owned(),
                        is_full: is("full"),
                        is_changed: is("changed"),
                    }),
                    None => Ok(answer),
                };
                // Whoever asked may be gone.
                drop(waits.send(told));
            }
        });
        // A panic, no memory, a script that cannot be had: whoever waits hears of it by its sender's end.
        let broken = |waiting: &Waiting, is_broken: &Rc<Cell<bool>>| {
            let (waiting, is_broken) = (Rc::clone(waiting), Rc::clone(is_broken));
            move |_: Event| {
                is_broken.set(true);
                waiting.borrow_mut().clear();
            }
        };
        let error = Listener::on(&worker, "error", broken(&waiting, &is_broken));
        let unread = Listener::on(&worker, "messageerror", broken(&waiting, &is_broken));
        let looker =
            Self { worker, waiting, next: Cell::new(1), is_broken, _listeners: [message, error, unread] };
        looker.wait_for(ready).await.map(|()| looker)
    }

    /// Waits for the first word.
    async fn wait_for(&self, ready: oneshot::Receiver<()>) -> Result<(), String> {
        const LOOK_MS: u64 = 200;
        const TIMES: u32 = 150;
        let mut ready = ready;
        for _ in 0..TIMES {
            if self.is_broken.get() {
                break;
            }
            let pause = ui_kit::clock::sleep(LOOK_MS);
            match select(ready, std::pin::pin!(pause)).await {
                Either::Left((Ok(()), _)) => return Ok(()),
                Either::Left((Err(_), _)) => break,
                Either::Right(((), later)) => ready = later,
            }
        }
        Err(words::no_looker().to_owned())
    }

    /// Sends a message with these members, and waits for what comes of it.
    ///
    /// # Errors
    /// What went wrong.
    pub async fn ask(&self, members: &[(&str, JsValue)]) -> Result<Value, Refusal> {
        let id = self.next.get();
        self.next.set(id.wrapping_add(1));
        let message = Object::new();
        let own = [("id", JsValue::from(id)), ("database", names::of(DATABASE).into())];
        for (name, value) in own.iter().chain(members) {
            // A plain object takes every member.
            drop(Reflect::set(&message, &(*name).into(), value));
        }
        let (told, answer) = oneshot::channel();
        self.waiting.borrow_mut().insert(id, told);
        if self.is_broken.get() || self.worker.post_message(message.unchecked_ref()).is_err() {
            self.waiting.borrow_mut().remove(&id);
            return Err(Refusal::stopped());
        }
        let deadline = std::pin::pin!(ui_kit::clock::sleep(PATIENCE_MS));
        match select(answer, deadline).await {
            Either::Left((answer, _)) => answer.unwrap_or_else(|_ended| Err(Refusal::stopped())),
            Either::Right(((), _)) => {
                // What hangs at this one would hang at the next: whoever asked ends it, and begins another.
                self.is_broken.set(true);
                Err(Refusal::stopped())
            }
        }
    }

    /// Whether it can be asked no more.
    pub fn is_broken(&self) -> bool {
        self.is_broken.get()
    }
}

impl Drop for Looker {
    fn drop(&mut self) {
        self.worker.terminate();
    }
}
