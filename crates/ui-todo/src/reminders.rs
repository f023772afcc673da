//! What reminds: asked of the worker when it is time, shown over the page until the person has said what becomes of it.
//!
//! The worker tells it, once for all tabs, and knows what was told on this device (`www/notices.js`, ADR 0071). Each page shows the same,
//! because each asks the same. All of it comes once the list is there, as a part of the page: what is missed is not what is waited for.

mod asking;
mod strip;

use std::cell::Cell;
use std::rc::Rc;

use leptos::prelude::*;
use leptos::task::spawn_local;
use ui_kit::Phase;
use ui_kit::parts::{self, part};

use crate::live::Live;

part! {
    reminders,
    /// What reminds.
    fn strip() -> fn() -> AnyView {
        strip::strip
    }
}

/// Draws them, once the list is there. Where the part cannot be had it is asked for again as time goes by: nobody waits for it.
pub fn view(live: Live) -> AnyView {
    let draw = RwSignal::new(None::<fn() -> AnyView>);
    let comes = Rc::new(Cell::new(false));
    ui_kit::effect(move |_| {
        live.wall.now.track();
        if live.phase.get() == Phase::Loading || draw.with_untracked(Option::is_some) || comes.replace(true) {
            return;
        }
        let comes = Rc::clone(&comes);
        spawn_local(async move {
            match parts::for_run(strip).await {
                Ok(had) => drop(draw.try_update(|draw| *draw = Some(had))),
                Err(parts::NotLoaded) => comes.set(false),
            }
        });
    });
    (move || draw.get().map(|draw| draw())).into_any()
}
