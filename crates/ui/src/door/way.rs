//! Which way the server is reached: decided at the start, and again when something about it changes.

use std::rc::{Rc, Weak};

use wasm_bindgen_futures::spawn_local;

use super::{INSTEAD_MS, Inner, Reason, Status, compiled, register, silent, tell};
use web::clock::{sleep, within};

/// How long to wait at the start for a worker before the page serves itself.
const START_MS: u64 = 5_000;

/// How often a worker that hangs is asked whether it hears us again.
const LOOK_MS: u64 = 2_000;

/// How often a worker that is looked at is told to stay. Chromium stops an idle one after 30 s.
const HEARTBEAT_MS: u64 = 10_000;

/// Decides between worker and page, and keeps an eye on what changes about it later.
pub(super) async fn find_a_way(door: Weak<Inner>) {
    let Some(door) = door.upgrade() else { return };
    let Some(workers) = &door.workers else { return door.turn(Status::InPage(Reason::NoWorkers)) };
    let (on_update, on_control) = (Rc::downgrade(&door), Rc::downgrade(&door));
    workers.watch(
        move || {
            if let Some(door) = on_update.upgrade() {
                door.update_ready.set(true);
                tell(&door.on_update, &());
            }
        },
        move || {
            if let Some(door) = on_control.upgrade() {
                // The port belongs to the worker that was; the next call opens one to the new one.
                if let Some(mut port) = door.port.try_lock() {
                    *port = None;
                }
                if matches!(*door.status.borrow(), Status::InPage(_) | Status::Failed(_)) {
                    door.turn(Status::Worker);
                }
                spawn_local(compiled::hold());
            }
        },
    );
    let registered = workers.register().await;
    let way = match (registered, within(START_MS, workers.active()).await) {
        // It hung when this page was here before, and may hang yet: it is asked once, and not waited for.
        (_, Some(())) if silent::is_remembered() && !door.greets(workers).await => {
            if door.in_page.load(INSTEAD_MS).await {
                return door.is_silent();
            }
            Status::Worker
        }
        (_, Some(())) => Status::Worker,
        (Err(why), None) => Status::InPage(Reason::NotTaken(why)),
        (Ok(()), None) => Status::InPage(Reason::NotInTime),
    };
    door.turn(way);
    // Else it comes with the worker's control.
    if workers.is_in_control() {
        spawn_local(compiled::hold());
    }
}

/// Keeps the worker awake while somebody looks at the page or waits for an answer.
pub(super) async fn beat(door: Weak<Inner>) {
    loop {
        sleep(HEARTBEAT_MS).await;
        let Some(door) = door.upgrade() else { return };
        let wanted = door.open_calls.get() > 0 || register::page_is_visible();
        if let Some(workers) = &door.workers
            && wanted
            && *door.status.borrow() == Status::Worker
        {
            workers.ping();
        }
    }
}

/// Goes back to a worker that hung, as soon as it greets.
pub(super) async fn go_back(door: Weak<Inner>) {
    loop {
        sleep(LOOK_MS).await;
        let Some(door) = door.upgrade() else { return };
        let Some(workers) = &door.workers else { return };
        if *door.status.borrow() != Status::InPage(Reason::Silent) {
            return;
        }
        if door.port(workers).await.is_ok() {
            silent::forget();
            return door.turn(Status::Worker);
        }
    }
}
