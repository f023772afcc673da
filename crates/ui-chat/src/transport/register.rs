//! The worker's registration: to have it, to know which worker to talk to, and to notice a newer one.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web::clock::sleep;
use web::listener::Listener;
use web::{page, value};
use web_sys::{
    Event, MessageEvent, RegistrationOptions, ServiceWorker, ServiceWorkerContainer,
    ServiceWorkerRegistration, ServiceWorkerState, ServiceWorkerUpdateViaCache,
};

use super::words;

/// The service workers of this page.
pub(super) struct Workers {
    container: ServiceWorkerContainer,
    registration: RefCell<Option<ServiceWorkerRegistration>>,
    /// We asked for the newer worker, so when it takes control this page is loaded again.
    reload_on_control: Rc<Cell<bool>>,
    on_control: RefCell<Option<Listener>>,
    /// The workers that somebody asked to take over, this page or another.
    successors: Successors,
    on_word: RefCell<Option<Listener>>,
}

/// The worker's script, in the app's own folder.
const SCRIPT: &str = "sw.js";

/// How often it is looked for the app's own worker while another app's is in control, in milliseconds.
const LOOK_MS: u64 = 200;

type Successors = Rc<RefCell<Vec<JsValue>>>;

/// What is called when something happens.
type Callback = Rc<dyn Fn()>;

impl Workers {
    /// None where the browser has no service workers for this page.
    pub(super) fn of_this_page() -> Option<Self> {
        let navigator = web_sys::window()?.navigator();
        let container = value::part(&navigator, "serviceWorker")?.dyn_into().ok()?;
        Some(Self {
            container,
            registration: RefCell::default(),
            reload_on_control: Rc::default(),
            on_control: RefCell::default(),
            successors: Rc::default(),
            on_word: RefCell::default(),
        })
    }

    /// Registers `sw.js`, which also makes the browser look for a newer one.
    pub(super) async fn register(&self) -> Result<(), String> {
        let options = RegistrationOptions::new();
        options.set_type("module");
        options.set_update_via_cache(ServiceWorkerUpdateViaCache::None);
        let registering = self.container.register_with_options(SCRIPT, &options);
        let registration = JsFuture::from(registering).await.map_err(|error| words(&error))?;
        self.registration.replace(Some(registration.unchecked_into()));
        Ok(())
    }

    /// Waits until there is a worker to talk to. A page that was loaded past it (by a hard reload) asks it
    /// to take control.
    pub(super) async fn active(&self) {
        if self.is_in_control() {
            return;
        }
        let registration = registered(self.container.clone()).await;
        self.registration.replace(Some(registration));
        self.say("claim");
    }

    /// The worker to talk to: the one in control, or else the one that is active beside us.
    pub(super) fn worker(&self) -> Option<ServiceWorker> {
        self.controller()
            .or_else(|| self.registration.borrow().as_ref().and_then(ServiceWorkerRegistration::active))
    }

    /// Whether our requests by fetch reach a worker.
    pub(super) fn is_in_control(&self) -> bool {
        self.controller().is_some()
    }

    /// The worker in control, if it is this app's.
    fn controller(&self) -> Option<ServiceWorker> {
        self.container.controller().filter(is_ours)
    }

    /// Whether the worker is about to go. Then nobody says a word to it that can wait: the newer one takes over when it
    /// has nothing to do, and each word counts for half a minute.
    pub(super) fn is_replaced(&self) -> bool {
        let registration = self.registration.borrow();
        let waiting = registration.as_ref().and_then(ServiceWorkerRegistration::waiting);
        waiting.is_some_and(|waiting| self.successors.borrow().contains(&waiting.into()))
    }

    /// Wakes the worker, or lets it live longer.
    pub(super) fn ping(&self) {
        self.say("ping");
    }

    /// Has the worker keep what it does not have yet of the page.
    pub(super) fn fetch_the_rest(&self) {
        self.say("rest");
    }

    /// Lets the waiting worker take over. Where none waits any more, another tab was first and it is in control already:
    /// then this page is the old one, and is loaded again.
    pub(super) fn activate_waiting(&self) {
        let registration = self.registration.borrow();
        match registration.as_ref().and_then(ServiceWorkerRegistration::waiting) {
            Some(waiting) => {
                self.reload_on_control.set(true);
                was_asked(&self.successors, waiting.clone().into());
                post(&waiting, "skip-waiting");
            }
            // It was asked already, and is on its way.
            None if self.reload_on_control.get() => {}
            None => {
                self.reload_on_control.set(true);
                page::reload();
            }
        }
    }

    /// Calls `update` when a newer worker waits, and `control` when another worker took control. Once.
    pub(super) fn watch(&self, update: impl Fn() + 'static, control: impl Fn() + 'static) {
        if self.on_control.borrow().is_some() {
            return;
        }
        let reload = Rc::clone(&self.reload_on_control);
        let on_control = Listener::on(&self.container, "controllerchange", move |_: Event| {
            if reload.get() {
                page::reload();
            }
            control();
        });
        self.on_control.replace(Some(on_control));
        let successors = Rc::clone(&self.successors);
        let on_word = Listener::on(&self.container, "message", move |event: MessageEvent| {
            if value::text(&event.data(), "satchel").as_deref() == Some("taking-over") {
                // It may be one of another app on this origin, or another version may wait by now.
                event.source().into_iter().for_each(|asked| was_asked(&successors, asked.into()));
            }
        });
        self.on_word.replace(Some(on_word));
        let (container, update): (_, Callback) = (self.container.clone(), Rc::new(update));
        wasm_bindgen_futures::spawn_local(async move {
            watch_updates(registered(container).await, update);
        });
    }

    fn say(&self, what: &str) {
        if let Some(worker) = self.worker() {
            post(&worker, what);
        }
    }
}

/// Whether a worker is this app's: a page in a folder below another app's is under that one's control until its own is there.
pub fn is_ours(worker: &ServiceWorker) -> bool {
    worker.script_url() == page::home() + SCRIPT
}

/// This app's registration, once it has a worker that is active.
async fn registered(container: ServiceWorkerContainer) -> ServiceWorkerRegistration {
    let is_own = |found: &ServiceWorkerRegistration| found.scope() == page::home();
    let Ok(ready) = container.ready() else { return std::future::pending().await };
    let Ok(found) = JsFuture::from(ready).await else { return std::future::pending().await };
    let mut found: Option<ServiceWorkerRegistration> = found.dyn_into().ok();
    // The browser says that the other app's is ready, and nothing more once ours is.
    loop {
        if let Some(own) = found.filter(|found| is_own(found) && found.active().is_some()) {
            return own;
        }
        sleep(LOOK_MS).await;
        let looked = JsFuture::from(container.get_registration()).await;
        found = looked.ok().and_then(|found| found.dyn_into().ok());
    }
}

/// Whether somebody can see this page.
pub(super) fn page_is_visible() -> bool {
    !page::is_hidden()
}

/// For the page's life: a worker that is there to wait, and each one that is found later.
fn watch_updates(registration: ServiceWorkerRegistration, update: Callback) {
    if let Some(waiting) = registration.waiting() {
        // Who has been asked before this page began says so again.
        post(&waiting, "asked");
        update();
    }
    let found = registration.clone();
    let follow = move || {
        let Some(installing) = found.installing() else { return };
        let (worker, update) = (installing.clone(), Rc::clone(&update));
        let on_state = move |_: Event| {
            if worker.state() == ServiceWorkerState::Installed {
                update();
            }
        };
        // As long as the worker's object, which the browser keeps.
        Listener::on(&installing, "statechange", on_state).for_good();
    };
    // Another tab found one that is still on its way: nobody says so again.
    follow();
    Listener::on(&registration, "updatefound", move |_: Event| follow()).for_good();
}

fn was_asked(successors: &Successors, worker: JsValue) {
    let mut asked = successors.borrow_mut();
    if !asked.contains(&worker) {
        asked.push(worker);
    }
}

fn post(worker: &ServiceWorker, what: &str) {
    // A worker that is gone takes no message; the next call finds out.
    let _ = worker.post_message(&value::object(&[("satchel", what.into())]));
}
