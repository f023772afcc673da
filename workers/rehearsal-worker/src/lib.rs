//! Plays rehearsals off the page, in a worker of its own that is loaded when the first one is played: a scenario that never ends or
//! takes all memory is ended with it, and the page goes on.
//!
//! Messages are JSON texts ([`message`]). The built-in model and the tools are in here, over a database in memory that nothing outlives.
//! Any other model is asked by the page, which has its key.

mod message;
mod models;
mod scope;
mod waits;

use std::rc::Rc;

use futures::StreamExt;
use futures::channel::mpsc::{UnboundedReceiver, unbounded};
use rehearsal::{
    ConversationEngine, Ports, PromptSpecs, Rehearsed, Scenario, SimulatedTime, Turn, starts_at_ms,
};
use tools::Domains;
use wasm_bindgen::JsCast;
use wasm_bindgen::prelude::Closure;
use wasm_bindgen_futures::spawn_local;
use web_sys::MessageEvent;

use message::{FromPage, Play, ToPage};
use models::{Heard, OfThePage, Source};
use waits::SystemTime;

/// The assistants that ship with the app.
const DOMAINS: Domains =
    &[&todo::Todos, &memory::Memories, &photo::Photos, &trip::Trips { atlas: &trip::atlas::Packed }];

/// Begins to listen. The module calls it as it starts.
#[cfg_attr(not(test), wasm_bindgen::prelude::wasm_bindgen(start))]
pub fn start() {
    let (plays, waiting) = unbounded::<Play>();
    let page = Rc::new(OfThePage::default());
    let heard = Rc::clone(&page);
    let on_message = Closure::<dyn FnMut(MessageEvent)>::new(move |message: MessageEvent| {
        let text = message.data().as_string().unwrap_or_default();
        match serde_json::from_str(&text) {
            Ok(FromPage::Play(play)) => drop(plays.unbounded_send(*play)),
            Ok(FromPage::Event { id, event }) => heard.hear(id, Heard::Event(*event)),
            Ok(FromPage::Failed { id, failure }) => heard.hear(id, Heard::Failed(failure)),
            Ok(FromPage::Ended { id }) => heard.hear(id, Heard::Ended),
            Err(error) => scope::tell(&ToPage::Broken { why: error.to_string() }),
        }
    });
    scope::scope().set_onmessage(Some(on_message.as_ref().unchecked_ref()));
    // As long as this worker lives.
    on_message.forget();
    spawn_local(play_all(waiting, page));
    scope::tell(&ToPage::Ready);
}

/// One after the other.
async fn play_all(mut waiting: UnboundedReceiver<Play>, page: Rc<OfThePage>) {
    while let Some(play) = waiting.next().await {
        match play_one(play, &page).await {
            Ok(played) => {
                let run_files = played.run_files.values().filter_map(|file| file.to_json().ok()).collect();
                scope::tell(&ToPage::Done { outcome: Box::new(played.outcome), run_files });
            }
            Err(why) => scope::tell(&ToPage::Broken { why }),
        }
    }
}

/// Plays a scenario from its text.
///
/// # Errors
/// A sentence: what is wrong with the text, or with the conversation.
async fn play_one(play: Play, page: &Rc<OfThePage>) -> Result<Rehearsed, String> {
    let scenarios = rehearsal::read::scenarios(&play.file, &play.text).map_err(|wrong| wrong.to_string())?;
    let named = |scenario: &&Scenario| play.name.as_ref().is_none_or(|name| *name == scenario.name);
    let scenario = scenarios.iter().find(named).ok_or("there is no such scenario in the file")?;
    let mut prompts = PromptSpecs::default();
    for (name, text) in &play.prompts {
        prompts.insert(name, rehearsal::read::prompts(name, text).map_err(|wrong| wrong.to_string())?);
    }
    let source = Rc::new(Source::new(play.chosen, Rc::clone(page)));
    let watch = Rc::new(|turn: &Turn| scope::tell(&ToPage::Turn { turn: Box::new(turn.clone()) }));
    let mut ports = Ports {
        models: source,
        clock: Rc::new(SystemTime),
        checker: Rc::new(evidence::checked),
        watch: Some(watch),
        domains: DOMAINS,
        webhook: None,
    };
    if !play.asks_page {
        let time = SimulatedTime::at(starts_at_ms(scenario)?);
        ports.clock = Rc::new(time.clone());
        let engine = ConversationEngine::new(ports, Rc::new(prompts), None);
        return time.run(engine.play(scenario, play.repeat)).map_err(|stuck| stuck.to_string());
    }
    let engine = ConversationEngine::new(ports, Rc::new(prompts), None);
    Ok(engine.play(scenario, play.repeat).await)
}
