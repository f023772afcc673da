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
pub(super) const HEARTBEAT_MS: u64 = 10_000;

/// Decides between worker and page, and keeps an eye on what changes about it later.
pub(super) async fn find_a_way(transport: Weak<Inner>) {
    let Some(transport) = transport.upgrade() else { return };
    let Some(workers) = &transport.workers else { return transport.turn(Status::InPage(Reason::NoWorkers)) };
    let (on_update, on_control) = (Rc::downgrade(&transport), Rc::downgrade(&transport));
    workers.watch(
        move || {
            if let Some(transport) = on_update.upgrade() {
                transport.update_ready.set(true);
                tell(&transport.on_update, &());
            }
        },
        move || {
            if let Some(transport) = on_control.upgrade() {
                // The port belongs to the worker that was; the next call opens one to the new one.
                if let Some(mut port) = transport.port.try_lock() {
                    *port = None;
                }
                if matches!(*transport.status.borrow(), Status::InPage(_) | Status::Failed(_)) {
                    transport.turn(Status::Worker);
                }
                spawn_local(compiled::hold(on_control.clone()));
            }
        },
    );
    let registered = workers.register().await;
    let way = match (registered, within(START_MS, workers.active()).await) {
        // It hung when this page was here before, and may hang yet: it is asked once, and not waited for.
        (_, Some(())) if silent::is_remembered() && !transport.greets(workers).await => {
            if transport.in_page.load(INSTEAD_MS).await {
                return transport.is_silent();
            }
            Status::Worker
        }
        (_, Some(())) => Status::Worker,
        (Err(why), None) => Status::InPage(Reason::NotTaken(why)),
        (Ok(()), None) => Status::InPage(Reason::NotInTime),
    };
    transport.turn(way);
    // Else it comes with the worker's control.
    if workers.is_in_control() {
        spawn_local(compiled::hold(Rc::downgrade(&transport)));
    }
}

/// Keeps the worker awake while somebody waits for an answer, or looks at the page and it is not about to go.
pub(super) async fn beat(transport: Weak<Inner>) {
    loop {
        sleep(HEARTBEAT_MS).await;
        let Some(transport) = transport.upgrade() else { return };
        let is_waited_for = transport.open_calls.get() > 0;
        if let Some(workers) = &transport.workers
            && (is_waited_for || (register::page_is_visible() && !workers.is_replaced()))
            && *transport.status.borrow() == Status::Worker
        {
            workers.ping();
        }
    }
}

/// Goes back to a worker that hung, as soon as it greets.
pub(super) async fn go_back(transport: Weak<Inner>) {
    loop {
        sleep(LOOK_MS).await;
        let Some(transport) = transport.upgrade() else { return };
        let Some(workers) = &transport.workers else { return };
        if *transport.status.borrow() != Status::InPage(Reason::Silent) {
            return;
        }
        if transport.port(workers).await.is_ok() {
            silent::forget();
            return transport.turn(Status::Worker);
        }
    }
}
