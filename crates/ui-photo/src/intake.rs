//! How photos come in: files wait in a queue, workers keep and look at them, and the tools are told in batches. It goes on while another
//! pane is shown, can be paused and stopped, and does no photo twice: what is there already is passed over, and what came in before a tab
//! was closed is there.

mod job;
mod walk;

use std::cell::{Cell as Flag, RefCell};
use std::collections::{HashMap, HashSet, VecDeque};
use std::rc::Rc;

use leptos::prelude::*;
use leptos::task::spawn_local;
use serde_json::{Value, json};
use ui_kit::clock;
use ui_kit::panel::Page;
use wasm_bindgen::JsValue;
use web::{names, storage};
use web_sys::File;

use crate::folders::{Folders, id_of};
use crate::library::{Cell, Original};
use crate::pool::{self, Looker};
use crate::progress::Progress;
use crate::room::{self, Room};
use crate::{shared, words};

use job::{Item, Job, Taken, sum};
use walk::of_folder;
pub use walk::{Walk, is_hidden};

/// So many photos are told to the tools at once.
const BATCH: usize = 25;

/// How often a paused worker looks whether it may go on, in milliseconds.
const LOOK_MS: u64 = 200;

/// So many files wait before a folder is read further: a person may drop a disk.
const MOST_WAITING: usize = 1_000;

/// What photos come in by. A handle: copies are the same.
#[derive(Clone, Copy)]
pub struct Intake {
    /// How far it is.
    pub progress: RwSignal<Progress>,
    /// Why people could not be looked for, in a sentence; empty where nothing went wrong.
    pub people_trouble: RwSignal<String>,
    /// Counts how often the person had people looked for again.
    pub tried: RwSignal<u32>,
    /// How many shared photos could not even be kept until the person says so, as the worker's script wrote it; empty for none.
    pub shared_left: RwSignal<String>,
    page: Page,
    folders: Folders,
    inner: StoredValue<Rc<Inner>, LocalStorage>,
}

struct Inner {
    queue: RefCell<VecDeque<Job>>,
    /// The hashes of the originals that are kept, and the ids of the photos whose files were left in a folder, as a `Set` of the browser's: a
    /// worker gets it with each file.
    known: js_sys::Set,
    /// Where those files were left, by the photos' ids.
    left: RefCell<HashMap<String, String>>,
    /// What was seen and not yet told to the tools.
    items: RefCell<Vec<Item>>,
    looked: RefCell<Vec<Value>>,
    faces: RefCell<Vec<Value>>,
    workers: Flag<usize>,
    /// How many folders are being read.
    walks: Flag<usize>,
    /// The bytes and the count of what was handed over and does not wait yet: it is asked whether there is room.
    handed: Flag<(f64, usize)>,
    /// How many files workers have in hand.
    in_hand: Flag<usize>,
    /// How often the person stopped it.
    stops: Flag<u32>,
    began_ms: Flag<f64>,
    /// One batch is told after the other.
    is_telling: Flag<bool>,
    /// What was seen since the photos were grouped last.
    due: [Flag<bool>; 2],
    /// Nobody is to be looked for: the person turned it off or has everything erased, and that is on its way.
    is_nobody_wanted: Flag<bool>,
    /// The photos that were asked about once since the page began.
    looked_again: RefCell<HashSet<String>>,
    /// The same of those that were to be looked at for people.
    asked_for_people: RefCell<HashSet<String>>,
    /// The person has people recognised: a photo that comes in is looked at for them at once.
    is_anybody_wanted: Flag<bool>,
    /// What was seen of them on photos whose rows are not there yet, by the photos' ids.
    faces_of: RefCell<HashMap<String, Value>>,
}

/// What photos are grouped by, once they were looked at. That it is due outlives the page: it may be closed in between.
#[derive(Clone, Copy)]
enum Grouping {
    Twins,
    People,
}

impl Grouping {
    const ALL: [Self; 2] = [Self::Twins, Self::People];

    /// Where the browser keeps that it is due.
    fn key(self) -> String {
        names::of(match self {
            Self::Twins => "satchel-photos-twins-due",
            Self::People => "satchel-photos-people-due",
        })
    }
}

impl Inner {
    /// What was seen of people on a photo that comes in, until its row is there. Nothing where that was turned off meanwhile.
    fn keep_faces(&self, item: &Value, answer: &Value) {
        let faces = answer.get("faces").filter(|faces| faces.is_array());
        let hash = item.get("hash").and_then(Value::as_str);
        if let (Some(faces), Some(hash), true) = (faces, hash, self.is_anybody_wanted.get()) {
            self.faces_of.borrow_mut().insert(id_of(hash), faces.clone());
        }
    }

    fn set_due(&self, what: Grouping, is_due: bool) {
        self.due[what as usize].set(is_due);
        if is_due {
            // Without a storage it is due as long as the page lives.
            storage::local().set(&what.key(), "1");
        } else {
            storage::local().remove(&what.key());
        }
    }

    /// Whatever is being read or handed over comes in no more.
    fn stop(&self) {
        self.stops.set(self.stops.get().wrapping_add(1));
        self.walks.set(0);
    }

    /// Whether nothing waits, and nothing more will by itself.
    fn is_over(&self) -> bool {
        self.queue.borrow().is_empty() && self.walks.get() == 0
    }

    fn is_due(&self, what: Grouping) -> bool {
        self.due[what as usize].get() || storage::local().get(&what.key()).is_some()
    }
}

impl Intake {
    /// Nothing comes in yet.
    pub fn new(page: Page, folders: Folders) -> Self {
        let inner = Inner {
            queue: RefCell::default(),
            known: js_sys::Set::new(&JsValue::UNDEFINED),
            left: RefCell::default(),
            items: RefCell::default(),
            looked: RefCell::default(),
            faces: RefCell::default(),
            workers: Flag::new(0),
            walks: Flag::new(0),
            handed: Flag::new((0.0, 0)),
            in_hand: Flag::new(0),
            stops: Flag::new(0),
            began_ms: Flag::new(0.0),
            is_telling: Flag::new(false),
            due: [Flag::new(false), Flag::new(false)],
            is_nobody_wanted: Flag::new(false),
            looked_again: RefCell::default(),
            asked_for_people: RefCell::default(),
            is_anybody_wanted: Flag::new(false),
            faces_of: RefCell::default(),
        };
        Self {
            progress: RwSignal::new(Progress::default()),
            people_trouble: RwSignal::new(String::new()),
            tried: RwSignal::new(0),
            shared_left: RwSignal::default(),
            page,
            folders,
            inner: StoredValue::new_local(Rc::new(inner)),
        }
    }

    fn inner(self) -> Rc<Inner> {
        self.inner.get_value()
    }

    /// These photos are there: files with the same bytes are passed over.
    pub fn knows<'a>(self, cells: impl Iterator<Item = &'a Cell>) {
        let inner = self.inner();
        inner.known.clear();
        let mut left = inner.left.borrow_mut();
        left.clear();
        for cell in cells {
            match cell.original() {
                Some(Original::Kept(hash)) => drop(inner.known.add(&hash.into())),
                Some(Original::Left(place)) => {
                    inner.known.add(&cell.id.as_str().into());
                    left.insert(cell.id.clone(), place);
                }
                None => {}
            }
        }
    }

    /// Takes files that a person chose.
    pub fn take(self, files: Vec<File>) {
        let job = |file| Job::Take(Taken { file, is_aside: false, shared: None, left: None });
        let jobs = files.into_iter().map(job).collect();
        spawn_local(self.begin_with_room(jobs));
    }

    /// Takes files that another app shared, each with where it waits: there it stays until it is in.
    pub async fn take_shared(self, files: Vec<(File, String)>) {
        let job =
            |(file, shared)| Job::Take(Taken { file, is_aside: false, shared: Some(shared), left: None });
        self.begin_with_room(files.into_iter().map(job).collect()).await;
    }

    /// Takes the pictures among the files of a folder.
    pub fn take_folder(self, files: Vec<File>) {
        spawn_local(self.begin_with_room(of_folder(files)));
    }

    /// A file cannot be had.
    pub fn lacks(self, name: &str, why: &str) {
        self.progress.update(|progress| progress.lacks(name, why));
    }

    /// Whether files are coming in: what is not told yet is lost with the page.
    pub fn is_coming_in(self) -> bool {
        let inner = self.inner();
        let is_take = |job: &Job| matches!(job, Job::Take(_));
        let waits = inner.queue.borrow().iter().any(is_take) || !inner.items.borrow().is_empty();
        waits || inner.in_hand.get() > 0 || inner.walks.get() > 0 || inner.is_telling.get()
    }

    /// Begins, and says before anything comes in that there is no room for all that waits; whether what fits comes in is for the person to
    /// say. Once in an import.
    async fn begin_with_room(self, jobs: Vec<Job>) {
        if jobs.is_empty() {
            return;
        }
        let inner = self.inner();
        let stops = inner.stops.get();
        let own = sum(jobs.iter());
        let handed = |by: f64| {
            let (bytes, count) = inner.handed.get();
            inner.handed.set((bytes + by * own.0, (count as f64 + by * own.1 as f64) as usize));
        };
        handed(1.0);
        let (waits, given) = (sum(inner.queue.borrow().iter()), inner.handed.get());
        let room = room::lacks(room::of_photos(waits.0 + given.0, waits.1 + given.1)).await;
        handed(-1.0);
        if inner.stops.get() == stops {
            self.begin(jobs, room);
        }
    }

    /// Looks at photos again that are there and were not looked at: the nets were not there, or the tab was closed. Each once in
    /// the life of the page.
    pub fn look_again(self, photos: impl Iterator<Item = (String, Original)>) {
        let inner = self.inner();
        let mut asked = inner.looked_again.borrow_mut();
        let new = photos.filter(|(id, _)| asked.insert(id.clone()));
        let jobs: Vec<Job> = new.map(|(id, original)| Job::Look { id, original }).collect();
        drop(asked);
        self.begin(jobs, None);
    }

    /// Looks for people on photos, where the person turned that on. Each once in the life of the page.
    pub fn look_for_people(self, photos: impl Iterator<Item = (String, Original)>) {
        let inner = self.inner();
        if inner.is_nobody_wanted.get() {
            return;
        }
        inner.is_anybody_wanted.set(true);
        let mut asked = inner.asked_for_people.borrow_mut();
        let new = photos.filter(|(id, _)| asked.insert(id.clone()));
        let jobs: Vec<Job> = new.map(|(id, original)| Job::People { id, original }).collect();
        drop(asked);
        self.begin(jobs, None);
    }

    /// Nobody is looked for any more, until it is known what came of turning it off: what waits for that is dropped, and what was found
    /// and not told is forgotten.
    pub fn forget_people(self) {
        let inner = self.inner();
        inner.is_nobody_wanted.set(true);
        let mut queue = inner.queue.borrow_mut();
        let before = queue.len();
        queue.retain(|job| !matches!(job, Job::People { .. }));
        let dropped = before - queue.len();
        drop(queue);
        inner.faces.borrow_mut().clear();
        inner.asked_for_people.borrow_mut().clear();
        inner.is_anybody_wanted.set(false);
        inner.faces_of.borrow_mut().clear();
        inner.set_due(Grouping::People, false);
        if dropped > 0 {
            self.progress.update(|progress| progress.total -= dropped.min(progress.total));
        }
        if self.people_trouble.with_untracked(|why| !why.is_empty()) {
            self.people_trouble.set(String::new());
        }
    }

    /// People are not recognised, whoever turned that off. Turned on again, all is looked at anew.
    pub fn nobody_is_looked_for(self) {
        self.forget_people();
        self.inner().is_nobody_wanted.set(false);
    }

    /// It could not be turned off.
    pub fn go_on_with_people(self) {
        self.inner().is_nobody_wanted.set(false);
        self.try_people_again();
    }

    /// What could not be looked at for people is tried again.
    pub fn try_people_again(self) {
        self.inner().asked_for_people.borrow_mut().clear();
        self.people_trouble.set(String::new());
        self.tried.update(|tried| *tried = tried.wrapping_add(1));
        self.group_what_is_due();
    }

    /// Groups photos that were looked at and not grouped: a tab was closed in between, or it went wrong.
    pub fn group_what_is_due(self) {
        let inner = self.inner();
        if inner.workers.get() == 0 {
            spawn_local(async move { self.group_by_what_is_due(&inner, None).await });
        }
    }

    /// What is told of an import begins anew, where the one before is over.
    fn begin_anew(self, inner: &Inner) {
        // While folders are being read more may come, though nothing is left for the moment.
        if inner.walks.get() == 0 && self.progress.with_untracked(|progress| progress.left() == 0) {
            self.progress.update(Progress::reset);
            inner.began_ms.set(js_sys::Date::now());
        }
    }

    fn begin(self, jobs: Vec<Job>, room: Option<Room>) {
        if jobs.is_empty() {
            return;
        }
        let inner = self.inner();
        self.begin_anew(&inner);
        self.progress.update(|progress| {
            progress.total += jobs.len();
            if room.is_some() && progress.room.is_none() {
                progress.room = room;
                progress.is_paused = true;
            }
        });
        inner.queue.borrow_mut().extend(jobs);
        while inner.workers.get() < pool::size().min(inner.queue.borrow().len()) {
            inner.workers.set(inner.workers.get() + 1);
            spawn_local(self.work());
        }
    }

    /// Stops for a while, or goes on. What was seen until then is told: a page may be closed while it waits.
    pub fn pause(self, is_paused: bool) {
        self.progress.update(|progress| progress.is_paused = is_paused);
        if is_paused {
            spawn_local(async move { self.tell(&self.inner(), true).await });
        }
    }

    /// Stops for good; what came in stays.
    pub fn cancel(self) {
        let inner = self.inner();
        // The folders that are being read, too.
        inner.stop();
        let dropped = inner.queue.borrow_mut().drain(..).count();
        self.progress.update(|progress| {
            progress.total -= dropped.min(progress.total);
            progress.is_paused = false;
            progress.room = None;
        });
    }

    /// The person has seen what could not be taken.
    pub fn dismiss(self) {
        self.progress.update(|progress| {
            progress.failed.clear();
            progress.failures = 0;
            progress.failures_before = 0;
        });
    }

    /// One worker, from its first photo to the last.
    async fn work(self) {
        let inner = self.inner();
        let mut looker: Option<Looker> = None;
        loop {
            // The last ones are told, and it ends, whether it is paused or not.
            if self.progress.with_untracked(|progress| progress.is_paused) && !inner.is_over() {
                clock::sleep(LOOK_MS).await;
                continue;
            }
            let Some(job) = inner.queue.borrow_mut().pop_front() else {
                if inner.walks.get() == 0 {
                    break;
                }
                clock::sleep(LOOK_MS).await;
                continue;
            };
            let begun = match looker.take().filter(|looker| !looker.is_broken()) {
                Some(looker) => Ok(looker),
                None => Looker::begin().await,
            };
            match begun {
                Ok(begun) => {
                    self.done(&inner, job, &begun).await;
                    looker = Some(begun);
                }
                // The others go on with it.
                Err(_) if inner.workers.get() > 1 => {
                    inner.queue.borrow_mut().push_front(job);
                    break;
                }
                Err(why) => {
                    // Without a worker there is nothing to be done to any of them.
                    let mut all = vec![job];
                    all.extend(inner.queue.borrow_mut().drain(..));
                    all.into_iter().for_each(|job| self.failed(&job, &why));
                }
            }
            // While the person has it wait the page may be closed: nothing is kept back.
            let is_paused = self.progress.with_untracked(|progress| progress.is_paused);
            self.tell(&inner, is_paused).await;
        }
        inner.workers.set(inner.workers.get() - 1);
        if inner.workers.get() == 0 {
            self.tell(&inner, true).await;
            self.say();
            self.group_by_what_is_due(&inner, looker).await;
        }
    }

    /// Tells the tools what was seen: when there is a batch of it, or the end.
    async fn tell(self, inner: &Inner, is_end: bool) {
        let least = if is_end { 1 } else { BATCH };
        if inner.is_telling.get() && !is_end {
            return;
        }
        while inner.is_telling.get() {
            clock::sleep(LOOK_MS).await;
        }
        inner.is_telling.set(true);
        let caller = self.page.tools.caller();
        while inner.items.borrow().len() >= least {
            let items = take_batch(&inner.items);
            let count = items.len();
            let (rows, shared): (Vec<Value>, Vec<_>) =
                items.into_iter().map(|item| (item.row, item.shared)).unzip();
            let names: Vec<String> = rows.iter().map(name_of).collect();
            let (_, told) = caller.manually("photo_import", json!({ "items": rows })).await;
            if told.is_ok() {
                // They are in now, and not before.
                for shared in shared {
                    shared::let_go(shared).await;
                }
            }
            self.progress.update(|progress| {
                progress.done += count;
                match told {
                    Ok(answer) => {
                        let number =
                            |name: &str| answer.get(name).and_then(Value::as_u64).unwrap_or_default();
                        progress.new += (number("new") + number("back") + number("whole")) as usize;
                        progress.known += number("known") as usize;
                    }
                    Err(trouble) => {
                        let why = ui_kit::told(trouble);
                        names.iter().for_each(|name| progress.lacks(name, &why));
                    }
                }
            });
            self.page.tools.changed();
        }
        while inner.looked.borrow().len() >= least {
            let items = take_batch(&inner.looked);
            // What cannot be told now is looked at again by the next page.
            let (_, _told) = caller.manually("photo_looked", json!({ "items": items })).await;
            self.page.tools.changed();
        }
        while inner.faces.borrow().len() >= least {
            let items = take_batch(&inner.faces);
            match caller.manually("photo_faces", json!({ "items": items })).await.1 {
                Ok(_) => inner.set_due(Grouping::People, true),
                Err(trouble) => self.people_trouble.set(ui_kit::told(trouble)),
            }
            self.page.tools.changed();
        }
        inner.is_telling.set(false);
    }

    /// Groups again by what something was seen of. What goes wrong is due as before.
    async fn group_by_what_is_due(self, inner: &Inner, looker: Option<Looker>) {
        let mut looker = looker;
        for what in Grouping::ALL {
            if !inner.is_due(what) {
                continue;
            }
            // One that broke at the look before does no other.
            looker = looker.filter(|looker| !looker.is_broken());
            if looker.is_none() {
                // Where no worker begins it is due as before.
                looker = Looker::begin().await.ok();
            }
            let Some(looker) = &looker else { return };
            // What is seen from here on is due once more; a tab that is closed meanwhile leaves it due.
            inner.due[what as usize].set(false);
            let done = match what {
                Grouping::Twins => self.group_twins(looker).await,
                Grouping::People => self.group_people(looker).await,
            };
            match done {
                Ok(()) if !inner.due[what as usize].get() => inner.set_due(what, false),
                Ok(()) => {}
                Err(why) => {
                    inner.set_due(what, true);
                    if matches!(what, Grouping::People) {
                        self.people_trouble.set(why);
                    }
                }
            }
        }
    }

    /// Says again which photos are near-duplicates.
    async fn group_twins(self, looker: &Looker) -> Result<(), String> {
        let tools = self.page.tools;
        let looks = tools.read("photo_looks", json!({})).await?;
        let looks = looks.get("items").map(Value::to_string).unwrap_or_default();
        let mut answer = looker.ask(&[("twins", looks.as_str().into())]).await?;
        let groups = answer.get_mut("groups").map(Value::take).unwrap_or_default();
        let told = tools.caller().manually("photo_twins", json!({ "groups": groups })).await.1;
        tools.changed();
        told.map(drop).map_err(ui_kit::told)
    }

    /// Says again who is who.
    async fn group_people(self, looker: &Looker) -> Result<(), String> {
        let tools = self.page.tools;
        let looks = tools.read("photo_people_looks", json!({})).await?;
        if looks.get("on") != Some(&Value::Bool(true)) {
            return Ok(());
        }
        let looks = looks.to_string();
        let mut answer = looker.ask(&[("persons", looks.as_str().into())]).await?;
        let groups = answer.get_mut("groups").map(Value::take).unwrap_or_default();
        let told = tools.caller().manually("photo_people_groups", json!({ "groups": groups })).await.1;
        tools.changed();
        told.map(drop).map_err(ui_kit::told)
    }

    fn say(self) {
        let progress = self.progress.get_untracked();
        let failures = progress.failures.saturating_sub(progress.failures_before);
        if progress.new + progress.known + failures > 0 {
            self.page.toasts.say(words::brought_in(progress.new, progress.known, failures));
        } else if progress.aside > 0 {
            self.page.toasts.say(words::no_pictures_in_folder().to_owned());
        }
    }
}

fn take_batch<T>(from: &RefCell<Vec<T>>) -> Vec<T> {
    let mut from = from.borrow_mut();
    let count = from.len().min(BATCH);
    from.drain(..count).collect()
}

fn name_of(item: &Value) -> String {
    item.get("name").and_then(Value::as_str).unwrap_or_default().to_owned()
}
