//! People in the pane: off until the person turns it on, then who there is, with names, "these are one", "not them", hidden ones, and one
//! button that erases all of it.

use std::cell::RefCell;
use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use futures::FutureExt;
use futures::future::{LocalBoxFuture, Shared};
use leptos::prelude::*;
use leptos::task::spawn_local;
use serde::Deserialize;
use serde_json::json;
use ui_kit::panel::Page;
use ui_kit::{Each, Rows, Say, Tools, memo};

use crate::found::Focus;
use crate::intake::Intake;
use crate::library::{Cell, Original, Shown};
use crate::name_line::NameLine;
use crate::press::{Asked, Waits};
use crate::words;

/// How wide a face stands in the list, in CSS pixels.
const FACE_PX: f64 = 72.0;

/// Around a face there is as much again of the photo, at each side half of that.
const AROUND: f64 = 1.6;

/// Who is on the photos, as `photo_people_grid` tells it.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(default)]
pub struct People {
    /// Whether this was read: before that nothing is known.
    #[serde(skip)]
    pub is_read: bool,
    /// Whether people are recognised.
    pub on: bool,
    /// Whether anything is kept of faces and names, also while they are not recognised.
    pub kept: bool,
    /// Those on most photos first.
    pub people: Vec<Person>,
    /// The photos with faces.
    pub photos: Vec<Framed>,
    /// The ids of the photos that are to be looked at for people.
    pub not_looked_at: Vec<String>,
}

/// Somebody.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(default)]
pub struct Person {
    /// Names them in calls.
    pub id: String,
    /// What they are called: a name, or "unnamed person 2".
    pub title: String,
    /// Whether that is a name.
    pub named: bool,
    /// They are not to be shown.
    pub hidden: bool,
    /// On how many photos.
    pub count: usize,
    /// The face that stands for them.
    pub cover: Option<Cover>,
}

/// A face to be shown.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(default)]
pub struct Cover {
    /// The photo's id.
    pub photo: String,
    /// Left, top, width, height, in thousandths of the photo.
    #[serde(rename = "box")]
    pub at: [f64; 4],
}

/// A photo and its faces.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(default)]
pub struct Framed {
    /// The photo's id.
    pub id: String,
    /// Its faces.
    pub faces: Vec<Frame>,
}

/// A face and whose it is.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(default)]
pub struct Frame {
    /// Left, top, width, height, in thousandths of the photo.
    #[serde(rename = "box")]
    pub at: [f64; 4],
    /// The id of the person; empty for nobody known.
    pub person: String,
    /// What `person_name` takes to name somebody by this face alone.
    pub face: String,
}

impl People {
    /// What somebody is called; empty for nobody known, and for who is hidden.
    pub fn title(&self, id: &str) -> &str {
        let found = self.people.iter().find(|person| person.id == id && !person.hidden);
        found.map_or("", |person| person.title.as_str())
    }

    /// What somebody is called, to whoever asked for their photos: also who is hidden.
    pub fn called(&self, id: &str) -> String {
        let found = self.people.iter().find(|person| person.id == id);
        found.map_or_else(|| words::people().to_owned(), |person| person.title.clone())
    }

    /// The name of somebody who has one and is shown; empty for anybody else.
    fn name(&self, id: &str) -> &str {
        let found = self.people.iter().find(|person| person.id == id && person.named && !person.hidden);
        found.map_or("", |person| person.title.as_str())
    }

    /// The names of the people on photos, by the photo's id: of those who have one and are shown.
    pub fn names(&self) -> HashMap<String, Vec<String>> {
        self.names_on(|_| true)
    }

    /// The same of some photos.
    fn names_on(&self, is_asked: impl Fn(&str) -> bool) -> HashMap<String, Vec<String>> {
        let mut names: HashMap<String, Vec<String>> = HashMap::new();
        let named = self.people.iter().filter(|person| person.named && !person.hidden);
        let titles: HashMap<&str, &String> =
            order::gather(named.map(|person| (person.id.as_str(), &person.title)));
        for photo in self.photos.iter().filter(|photo| is_asked(&photo.id)) {
            for title in photo.faces.iter().filter_map(|face| titles.get(face.person.as_str())) {
                let of = names.entry(photo.id.clone()).or_default();
                if !of.contains(title) {
                    of.push(String::clone(title));
                }
            }
        }
        names
    }

    /// The ids of the photos with somebody on them.
    pub fn photos_of(&self, id: &str) -> Vec<String> {
        let has = |photo: &&Framed| photo.faces.iter().any(|face| face.person == id);
        self.photos.iter().filter(has).map(|photo| photo.id.clone()).collect()
    }
}

/// A read of who is on the photos, for whoever waits for it.
type Read = Shared<LocalBoxFuture<'static, Option<Rc<People>>>>;

thread_local! {
    /// The last read, and after which news it was: the pane and each strip of pictures in the chat ask for the same.
    static LAST: RefCell<Option<(u32, Read)>> = const { RefCell::new(None) };
}

/// Who is on the photos, read once after each piece of news; none where it could not be read.
fn read_once(tools: Tools) -> Read {
    let news = tools.news.get_untracked();
    LAST.with_borrow_mut(|last| match last {
        Some((at, read)) if *at == news => read.clone(),
        _ => {
            let read = async move {
                let answer = tools.read("photo_people_grid", json!({})).await.ok()?;
                let people = serde_json::from_value::<People>(answer).ok()?;
                Some(Rc::new(People { is_read: true, ..people }))
            };
            let read = read.boxed_local().shared();
            // What was read before is gone with it: names that were erased, too.
            *last = Some((news, read.clone()));
            read
        }
    })
}

/// Reads who is on the photos, now and whenever anything changed.
pub fn live(tools: Tools) -> RwSignal<People> {
    let people = RwSignal::new(People::default());
    each_read(
        tools,
        Rc::new(move |now| {
            if people.with_untracked(|before| *before != *now) {
                people.set(People::clone(now));
            }
        }),
    );
    people
}

/// The names of the people on some photos, by the photo's id, now and after each change: of a large library no more is kept than that.
pub fn live_names(tools: Tools, photos: Vec<String>) -> RwSignal<HashMap<String, Vec<String>>> {
    let names = RwSignal::new(HashMap::new());
    each_read(
        tools,
        Rc::new(move |people| {
            let now = people.names_on(|id| photos.iter().any(|photo| photo == id));
            if names.try_with_untracked(|before| *before != now) == Some(true) {
                names.set(now);
            }
        }),
    );
    names
}

/// Gives who is on the photos, now and whenever anything changed.
fn each_read(tools: Tools, take: Rc<dyn Fn(&People)>) {
    let reads = StoredValue::new(0_u32);
    ui_kit::effect(move |_| {
        tools.news.track();
        let read = reads.get_value() + 1;
        reads.set_value(read);
        let take = take.clone();
        spawn_local(async move {
            // What cannot be read now is read with the next change.
            let Some(now) = read_once(tools).await else { return };
            if reads.try_get_value() == Some(read) {
                take(&now);
            }
        });
    });
}

/// The handles of the view. Copies are the same.
#[derive(Clone, Copy)]
pub struct Who {
    /// The page's tools.
    pub page: Page,
    /// Who there is.
    pub people: RwSignal<People>,
    /// All photos.
    pub rows: Rows<Cell>,
    /// Where photos are looked at.
    pub intake: Intake,
    /// Which photos the grid shows.
    pub focus: Focus,
    /// Which view of the pane is shown.
    pub which: RwSignal<Shown>,
}

/// People, in place of the grid.
#[component]
pub fn PeopleView(who: Who) -> impl IntoView {
    let is_on = memo(move |_| who.people.with(|people| people.on));
    view! {
        <div class="row-list photo-people" data-testid="photo-people">
            {move || if is_on.get() { view! { <Known who /> }.into_any() } else { view! { <Off who /> }.into_any() }}
        </div>
    }
}

/// What is said before people are recognised.
#[component]
fn Off(who: Who) -> impl IntoView {
    let turn_on = move |_| who.page.tools.run("photo_people_on", json!({ "on": true }), Say::Nothing, |_| {});
    view! {
        <div class="photo-explain">
            <h3>{words::people_off()}</h3>
            {words::people_explained().map(|line| view! { <p>{line}</p> })}
            <button type="button" class="button primary" data-testid="photo-people-on" on:click=turn_on>
                {words::people_on()}
            </button>
        </div>
        <Show when=move || who.people.with(|people| people.kept)>
            <Erase who />
        </Show>
    }
}

/// Who there is.
#[component]
fn Known(who: Who) -> impl IntoView {
    let Who { people, intake, page, .. } = who;
    let is_all = RwSignal::new(false);
    let shown = memo(move |_| {
        people.with(|people| {
            let shown = people.people.iter().filter(|person| is_all.get() || !person.hidden);
            shown.map(|person| person.id.clone()).collect::<Vec<_>>()
        })
    });
    let left = memo(move |_| people.with(|people| people.not_looked_at.len()));
    let hidden = memo(move |_| people.with(|people| people.people.iter().filter(|one| one.hidden).count()));
    let turn_off = move |_| {
        intake.forget_people();
        page.tools.run("photo_people_on", json!({ "on": false }), Say::Summary, move |is_done| {
            if !is_done {
                intake.go_on_with_people();
            }
        });
    };
    view! {
        <Show when=move || { left.get() > 0 }>
            <p class="hint" role="status">{move || words::people_left(left.get())}</p>
        </Show>
        <Show when=move || intake.people_trouble.with(|why| !why.is_empty())>
            <div class="notice notice-bad" role="alert">
                <p>{intake.people_trouble}</p>
                <button type="button" class="button" on:click=move |_| intake.try_people_again()>
                    {ui_kit::words::try_again()}
                </button>
            </div>
        </Show>
        <Show when=move || shown.with(Vec::is_empty) && left.get() == 0>
            <p class="empty" data-testid="photo-nobody">{words::nobody()}</p>
        </Show>
        <ul class="photo-persons">
            <Each each=move || shown.get() key=|id: &String| id.clone() let:id>
                <Somebody who id />
            </Each>
        </ul>
        <Show when=move || { hidden.get() > 0 }>
            <button type="button" class="text-button" aria-pressed=move || is_all.get().to_string() on:click=move |_| is_all.update(|is| *is = !*is)>
                {move || words::hidden_people(hidden.get())}
            </button>
        </Show>
        <div class="photo-people-foot">
            <p class="hint">{words::people_stay()}</p>
            <button type="button" class="button" data-testid="photo-people-off" on:click=turn_off>
                {words::people_turn_off()}
            </button>
            <Erase who />
        </div>
    }
}

/// One person: their face, a name to be written, and what can be said of them. What is typed stays when more photos of them come.
#[component]
fn Somebody(who: Who, id: String) -> impl IntoView {
    let Who { page, people, rows, focus, which, .. } = who;
    let id = StoredValue::new(id);
    let person = memo(move |_| {
        people
            .with(|people| people.people.iter().find(|one| id.with_value(|id| one.id == *id)).cloned())
            .unwrap_or_default()
    });
    let called = move |person: &Person| if person.named { person.title.clone() } else { String::new() };
    let name = RwSignal::new(person.with_untracked(called));
    let before = RwSignal::new(name.get_untracked());
    // Named elsewhere: unless somebody is about to write another name here.
    ui_kit::effect(move |_| {
        let now = person.with(called);
        if before.with_untracked(|before| *before != now) {
            if name.get_untracked() == before.get_untracked() {
                name.set(now.clone());
            }
            before.set(now);
        }
    });
    let title = memo(move |_| person.with(|person| person.title.clone()));
    let count = memo(move |_| person.with(|person| person.count));
    let hidden = memo(move |_| person.with(|person| person.hidden));
    let into = RwSignal::new(String::new());
    let save = move |new: String| {
        if new != before.get_untracked() {
            let arguments = json!({ "person": id.get_value(), "name": new });
            page.tools.run("person_name", arguments, Say::SummaryWithUndo, |_| {});
        }
    };
    let see = move |_| {
        let photos = people.with_untracked(|people| people.photos_of(&id.get_value()));
        which.set(Shown::All);
        focus.show(photos, Some(id.get_value()), None);
        ui_kit::focus::when_there(|| web::page::first("#photos-title"));
    };
    let hide = move |_| {
        let arguments = json!({ "person": id.get_value(), "hidden": !hidden.get_untracked() });
        page.tools.run("photo_people_set", arguments, Say::SummaryWithUndo, |_| {});
    };
    // A list of all for each of them would be as long as their number squared: it is made for who looks into it.
    let is_looked_into = RwSignal::new(false);
    let others = move || {
        if !is_looked_into.get() {
            return None;
        }
        let option = |person: &Person| {
            let (this, value) = (person.id.clone(), person.id.clone());
            view! { <option value=value selected=move || into.with(|into| *into == this)>{person.title.clone()}</option> }
        };
        people.with(|people| {
            let others = people.people.iter().filter(|other| other.id != id.get_value() && !other.hidden);
            Some(others.map(option).collect_view())
        })
    };
    let merge = move |_| {
        let into = into.get_untracked();
        if !into.is_empty() {
            let arguments = json!({ "from": id.get_value(), "into": into });
            page.tools.run("person_merge", arguments, Say::SummaryWithUndo, |_| {});
        }
    };
    let cover = memo(move |_| person.with(|person| person.cover.clone()));
    let picture = move || {
        let cover = cover.get()?;
        rows.items.with(|cells| face(cells, &cover))
    };
    view! {
        <li class="photo-person" class:photo-hidden=hidden data-testid="photo-person">
            <button
                type="button"
                class="photo-face"
                aria-label=move || title.with(|title| words::photos_of(title, count.get()))
                on:click=see
            >
                {picture}
            </button>
            <div class="photo-person-body">
                <NameLine
                    name
                    label=Signal::derive(move || title.with(|title| words::name_of(title)))
                    hint=words::who_is_this()
                    testid="photo-person-name"
                    save=words::save()
                    on_name=save
                />
                <div class="photo-person-acts">
                    <span class="hint">{move || words::count(count.get())}</span>
                    <select
                        class="field"
                        data-testid="photo-person-same"
                        aria-label=move || title.with(|title| words::same_as(title))
                        on:pointerdown=move |_| is_looked_into.set(true)
                        on:focus=move |_| is_looked_into.set(true)
                        on:change=move |event| into.set(event_target_value(&event))
                    >
                        <option value="" selected=move || into.with(String::is_empty)>{words::same_as_word()}</option>
                        {others}
                    </select>
                    <Show when=move || into.with(|into| !into.is_empty())>
                        <button type="button" class="button" data-testid="photo-person-join" on:click=merge>
                            {words::join()}
                        </button>
                    </Show>
                    <button type="button" class="text-button" on:click=hide>
                        {move || if hidden.get() { words::show_again() } else { words::hide() }}
                    </button>
                </div>
            </div>
        </li>
    }
}

/// A face cut out of its photo.
fn face(cells: &[Cell], cover: &Cover) -> Option<AnyView> {
    let cell = cells.iter().find(|cell| cell.id == cover.photo)?;
    let [width, left, top] = cut(cover.at, [f64::from(cell.width), f64::from(cell.height)])?;
    // The small picture of a large photo has few pixels for a face.
    let source = if cell.large.is_empty() { &cell.thumb } else { &cell.large };
    let source = Cell::address(source);
    let image = view! {
        <img src=source alt="" loading="lazy" decoding="async" style:width=width style:left=left style:top=top />
    };
    Some(image.into_any())
}

/// How a photo of this size is laid so that a face fills a square: width, left and top, as style sheets have them.
fn cut([left, top, width, height]: [f64; 4], [photo_width, photo_height]: [f64; 2]) -> Option<[String; 3]> {
    const WHOLE: f64 = 1_000.0;
    let (face_width, face_height) = (width / WHOLE * photo_width, height / WHOLE * photo_height);
    let side = face_width.max(face_height) * AROUND;
    if side <= 0.0 || photo_width <= 0.0 || photo_height <= 0.0 {
        return None;
    }
    let scale = FACE_PX / side;
    let middle = [(left + width / 2.0) / WHOLE * photo_width, (top + height / 2.0) / WHOLE * photo_height];
    // What is beyond the photo's edge is not shown.
    let at = |middle: f64, length: f64| {
        let from = FACE_PX / 2.0 - middle * scale;
        from.clamp((FACE_PX - length * scale).min(0.0), 0.0)
    };
    let laid = [photo_width * scale, at(middle[0], photo_width), at(middle[1], photo_height)];
    Some(laid.map(|px| format!("{px:.1}px")))
}

/// One button that erases all faces, what was computed of them, and all names; asked about.
#[component]
pub fn Erase(who: Who) -> impl IntoView {
    let waits = Waits::new();
    let erase = move |()| {
        if !waits.begin() {
            return;
        }
        who.intake.forget_people();
        who.page.tools.run("data_erase", json!({ "what": "people" }), Say::Summary, move |is_done| {
            waits.end();
            if !is_done {
                who.intake.go_on_with_people();
            }
        });
    };
    view! {
        <div class="photo-erase">
            <Asked
                label=words::erase()
                question=words::erase_means()
                yes=words::erase_yes()
                testid="photo-people-erase"
                on_yes=erase
            />
        </div>
    }
}

/// The frames around the faces of a photo: a press of one says whose it is.
#[component]
pub fn Frames(people: RwSignal<People>, photo: String, named: RwSignal<Option<Frame>>) -> impl IntoView {
    let frame = move |(number, frame): (usize, &Frame), people: &People| {
        let [left, top, width, height] = frame.at.map(|part| format!("{:.2}%", part / 10.0));
        let name = people.title(&frame.person).to_owned();
        let spoken = words::name_face(number, &name);
        let this = frame.clone();
        view! {
            <button
                type="button"
                class="photo-frame"
                data-testid="photo-frame"
                aria-label=spoken
                style:left=left
                style:top=top
                style:width=width
                style:height=height
                on:click=move |_| {
                    named.set(Some(this.clone()));
                    ui_kit::focus::when_there(|| web::page::first(".photo-name-face input"));
                }
            >
                {(!name.is_empty()).then(|| view! { <span class="photo-frame-name" dir="auto">{name}</span> })}
            </button>
        }
    };
    move || {
        people.with(|people| {
            let framed = people.photos.iter().find(|framed| framed.id == photo);
            framed.map(|framed| (1..).zip(&framed.faces).map(|face| frame(face, people)).collect_view())
        })
    }
}

/// Says whose the pressed face is.
#[component]
pub fn NameFace(page: Page, people: RwSignal<People>, named: RwSignal<Option<Frame>>) -> impl IntoView {
    let name = RwSignal::new(String::new());
    // Another face has another name. One that was given or erased elsewhere stands here, too, unless somebody is about to write another.
    ui_kit::effect(move |before: Option<(String, String)>| {
        let face = named.with(|face| face.clone().unwrap_or_default());
        let now = people.with(|people| people.name(&face.person).to_owned());
        let (last_face, last_name) = before.unwrap_or_default();
        if last_face != face.face || name.with_untracked(|name| *name == last_name) {
            name.set(now.clone());
        }
        (face.face, now)
    });
    let save = move |new: String| {
        let Some(face) = named.get_untracked() else { return };
        let person = if face.person.is_empty() { face.face } else { face.person };
        page.tools.run(
            "person_name",
            json!({ "person": person, "name": new }),
            Say::SummaryWithUndo,
            move |is_done| {
                if is_done {
                    named.set(None);
                }
            },
        );
    };
    view! {
        <Show when=move || named.with(Option::is_some)>
            <div class="photo-name-face">
                <NameLine
                    name
                    label=words::who_is_this().to_owned()
                    hint=words::who_is_this()
                    testid="photo-face-name"
                    save=words::save()
                    on_name=save
                />
            </div>
        </Show>
    }
}

/// What can be said of the person whose photos are shown: their name, and that they are not on the chosen ones.
#[component]
pub fn NotThem(who: Who, chosen: Signal<Vec<String>>) -> impl IntoView {
    let title = memo(move |_| {
        let id = who.focus.person.get()?;
        who.people.with(|people| {
            people.people.iter().find(|person| person.id == id).map(|person| person.title.clone())
        })
    });
    let split = move |_| {
        let (Some(id), images) = (who.focus.person.get_untracked(), chosen.get_untracked()) else { return };
        let gone: HashSet<String> = images.iter().cloned().collect();
        who.page.tools.run(
            "person_split",
            json!({ "person": id, "images": images }),
            Say::SummaryWithUndo,
            move |is_done| {
                if is_done {
                    who.focus.found.update(|found| {
                        if let Some(found) = found {
                            found.retain(|id| !gone.contains(id));
                        }
                    });
                }
            },
        );
    };
    move || {
        let title = title.get().filter(|_| who.focus.found.with(Option::is_some))?;
        Some(view! {
            <button type="button" class="button" data-testid="photo-not-them" on:click=split>
                {words::not_them(&title)}
            </button>
        })
    }
}

/// Which photos wait to be looked at for people, of those whose originals may be read: ids, and where the originals are.
pub fn waiting(people: &People, cells: &[Cell], may_read: impl Fn(&Cell) -> bool) -> Vec<(String, Original)> {
    if !people.on {
        return Vec::new();
    }
    let by_id: HashMap<&str, &Cell> = order::gather(cells.iter().map(|cell| (cell.id.as_str(), cell)));
    let waiting = people.not_looked_at.iter().filter_map(|id| by_id.get(id.as_str()));
    let read = waiting.filter(|cell| !cell.in_bin && may_read(cell));
    read.filter_map(|cell| Some((cell.id.clone(), cell.original()?))).collect()
}

/// What a tool's answer says; for the tests.
#[cfg(test)]
fn read(answer: serde_json::Value) -> People {
    serde_json::from_value(answer).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_face_is_cut_out_with_as_much_around_it_and_never_beyond_the_edge() {
        // A face of 100 by 100 pixels in the middle of 1000 by 500.
        let laid = cut([450.0, 400.0, 100.0, 200.0], [1_000.0, 500.0]).unwrap();
        assert_eq!(laid, ["450.0px", "-189.0px", "-76.5px"]);
        // At the edge the photo is not drawn away from it.
        let laid = cut([0.0, 0.0, 100.0, 200.0], [1_000.0, 500.0]).unwrap();
        assert_eq!(laid, ["450.0px", "0.0px", "0.0px"]);
        assert_eq!(cut([0.0; 4], [1_000.0, 500.0]), None);
    }

    #[test]
    fn who_is_on_which_photo_is_read_off_the_frames() {
        let people = read(json!({
            "on": true,
            "people": [{"id": "p1", "title": "Ada", "named": true, "count": 2}, {"id": "p2", "title": "Bob", "hidden": true}],
            "photos": [
                {"id": "a", "faces": [{"box": [0, 0, 10, 10], "person": "p1", "face": "a#0"}]},
                {"id": "b", "faces": [{"box": [0, 0, 10, 10], "face": "b#0"}, {"box": [5, 5, 10, 10], "person": "p1", "face": "b#1"}]},
            ],
            "not_looked_at": ["c", "gone"],
        }));
        assert_eq!(people.photos_of("p1"), ["a", "b"]);
        // Whoever is hidden, or has no name, is not named.
        assert_eq!(
            people.names(),
            HashMap::from(
                [("a", "Ada"), ("b", "Ada")].map(|(id, name)| (id.to_owned(), vec![name.to_owned()]))
            )
        );
        let of_a = people.names_on(|id| id == "a");
        assert_eq!(of_a, HashMap::from([("a".to_owned(), vec!["Ada".to_owned()])]));
        assert_eq!((people.name("p1"), people.name("p2"), people.name("")), ("Ada", "", ""));
        assert_eq!((&*people.called("p2"), &*people.called("gone")), ("Bob", words::people()));
        assert_eq!((people.title("p1"), people.title("p2"), people.title("")), ("Ada", "", ""));
        let cells = [Cell { id: "c".into(), original: "h".into(), ..Cell::default() }];
        assert_eq!(waiting(&people, &cells, |_| true), [("c".to_owned(), Original::Kept("h".to_owned()))]);
        assert!(waiting(&people, &cells, |_| false).is_empty());
        assert!(waiting(&People { on: false, ..people }, &cells, |_| true).is_empty());
    }
}
