//! What a tool found, as the chat shows it: a line of small pictures below the tool's words, and a way to all of them in the grid.

use std::collections::HashSet;

use leptos::prelude::*;
use leptos::task::spawn_local;
use serde_json::{Value, json};
use ui_kit::panel::Page;
use ui_map::{LatLon, Sight};

use crate::export::Exporting;
use crate::folders::Folders;
use crate::library::{Cell, named};
use crate::people;
use crate::saving::{Saving, Wanted};
use crate::{ID, words};

/// How many pictures stand in the chat.
const SHOWN: usize = 6;

/// How many stand where somebody is asked whether something may be done to them.
const ASKED: usize = 8;

/// What of the photos the whole panel knows: what the assistant found, and which photo is seen large. A handle.
#[derive(Clone, Copy)]
pub struct Focus {
    /// The ids of what the assistant found and the person wants to see in the grid; none for the whole library.
    pub found: RwSignal<Option<Vec<String>>>,
    /// Whose photos those are, where the person asked for somebody's: a person's id.
    pub person: RwSignal<Option<String>>,
    /// What those are where the person asked for them in the pane: the name of an event or a place; empty for the chat.
    pub title: RwSignal<String>,
    /// The id of the photo that is seen large.
    pub large: RwSignal<Option<String>>,
    /// The words by which photos are looked for, by hand.
    pub text: RwSignal<String>,
    /// The name of the album that is shown; empty for all.
    pub album: RwSignal<String>,
    /// What the map looks at, or looked at when it was closed.
    pub sight: RwSignal<Option<Sight>>,
    /// The photo that is to be pointed out on the map, and where it was taken.
    pub on_map: RwSignal<Option<(String, LatLon)>>,
}

impl Focus {
    /// The whole library.
    pub fn new() -> Self {
        Self {
            found: RwSignal::new(None),
            person: RwSignal::new(None),
            title: RwSignal::new(String::new()),
            large: RwSignal::new(None),
            text: RwSignal::new(String::new()),
            album: RwSignal::new(String::new()),
            sight: RwSignal::new(None),
            on_map: RwSignal::new(None),
        }
    }

    /// Shows these and no others, and one of them large.
    pub fn show(self, found: Vec<String>, person: Option<String>, large: Option<String>) {
        self.text.set(String::new());
        self.album.set(String::new());
        self.person.set(person);
        self.title.set(String::new());
        self.found.set(Some(found));
        self.large.set(large);
    }

    /// Shows these and no others, under a name.
    pub fn show_titled(self, title: String, found: Vec<String>) {
        self.show(found, None, None);
        self.title.set(title);
    }

    /// Shows the whole library again.
    pub fn show_all(self) {
        self.person.set(None);
        self.found.set(None);
    }
}

/// What an answer shows.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Pictures {
    /// The first ones, each with a word for it; empty for none.
    pub first: Vec<(String, String)>,
    /// The ids of all.
    pub all: Vec<String>,
    /// What those are where no tool of the photos found them: the title of a trip; empty for any other.
    pub title: String,
    /// The answer of the tool that prepares an export; nothing for any other.
    pub export: Value,
    /// How many are meant, where somebody is asked whether something may be done to them; none where they were found.
    pub asked: Option<usize>,
}

impl Pictures {
    /// The photos in a tool's answer: of groups (events, people, places, duplicates) the first of each, with the group's name.
    pub fn of(answer: &Value) -> Self {
        let list = |value: &Value, name: &str| value.get(name).and_then(Value::as_array).cloned();
        let text = |value: &Value| value.as_str().map(str::to_owned);
        let ids = |value: &Value| -> Vec<String> {
            let ids = list(value, "ids").unwrap_or_default();
            if !ids.is_empty() {
                return ids.iter().filter_map(text).collect();
            }
            list(value, "items").unwrap_or_default().iter().filter_map(|item| text(item.get("id")?)).collect()
        };
        let groups = ["people", "clusters", "places", "groups"].iter().find_map(|name| list(answer, name));
        let Some(groups) = groups.filter(|groups| !groups.is_empty()) else {
            let all = ids(answer);
            return Self {
                first: all.iter().take(SHOWN).map(|id| (id.clone(), String::new())).collect(),
                all,
                title: answer.get("title").and_then(text).unwrap_or_default(),
                ..Self::default()
            };
        };
        // A photo of two people is in two groups, and is one photo.
        let (mut first, mut all, mut known) = (Vec::<(String, String)>::new(), Vec::new(), HashSet::new());
        for group in &groups {
            let ids = ids(group);
            let name = group.get("name").and_then(text).unwrap_or_default();
            let id = ids.iter().find(|id| !first.iter().any(|(other, _)| other == *id));
            if let Some(id) = id.filter(|_| first.len() < SHOWN) {
                first.push((id.clone(), name));
            }
            all.extend(ids.into_iter().filter(|id| known.insert(id.clone())));
        }
        Self { first, all, ..Self::default() }
    }
}

impl Pictures {
    /// The photos that a trial of a call would change, in the order in which it tells them; `total` of its answer counts all rows.
    pub fn that_would_change(answer: &Value) -> Self {
        let changes = answer.get("changes").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
        let of_photos = changes.iter().filter(|change| change["table"] == "photos");
        let all: Vec<String> =
            of_photos.filter_map(|change| change["id"].as_str().map(str::to_owned)).collect();
        let total = answer.get("total").and_then(Value::as_u64).unwrap_or_default() as usize;
        let others = changes.len() - all.len();
        let first = all.iter().take(ASKED).map(|id| (id.clone(), String::new())).collect();
        let asked = Some(total.saturating_sub(others).max(all.len()));
        Self { first, all, asked, ..Self::default() }
    }
}

/// What an answer prepared to be saved, where it did and the bytes are kept in this browser.
fn wanted(export: &Value, all: &[String]) -> Option<Wanted> {
    let size = export.get("size")?.as_str()?;
    let is = |name: &str| export.get(name).and_then(Value::as_bool).unwrap_or_default();
    let wanted = Wanted { images: all.to_vec(), is_small: size == "small", gps: is("gps") };
    (!is("in_folders")).then_some(wanted)
}

/// The pictures of an answer, which stands in the context.
#[component]
pub fn Strip() -> impl IntoView {
    let (page, focus, pictures) =
        (expect_context::<Page>(), expect_context::<Focus>(), expect_context::<Pictures>());
    let cells = RwSignal::new(Vec::<Cell>::new());
    let Pictures { first, all, title, export, asked } = pictures;
    let saving = Saving::new(page, expect_context::<Folders>());
    let wanted = wanted(&export, &all);
    let ids: Vec<String> = first.iter().map(|(id, _)| id.clone()).collect();
    let (count, shown) = (all.len(), ids.len());
    let (all, title) = (StoredValue::new(all), StoredValue::new(title));
    // Names follow what changes: one that is erased is said no more.
    let names = people::live_names(page.tools, ids.clone());
    // Once: what is in the bin or gone since is not drawn, and a long conversation does not read all its pictures with each change.
    spawn_local(async move {
        let answer = page.tools.read("photo_grid", json!({ "images": ids })).await;
        let read =
            answer.ok().and_then(|mut answer| serde_json::from_value(answer.get_mut("items")?.take()).ok());
        if let Some(read) = read {
            drop(cells.try_set(read));
        }
    });
    let show = move |large: Option<String>| {
        let is_large = large.is_some();
        focus.show(all.get_value(), None, large);
        focus.title.set(title.get_value());
        page.show(ID);
        if !is_large {
            // On a narrow page the chat is gone with the button that was pressed.
            ui_kit::focus::when_there(|| web::page::first("#photos-title"));
        }
    };
    let picture = move |cell: Cell| {
        let Cell { id, thumb, .. } = &cell;
        // What is asked about is all there: what lies in the bin would come out of it.
        if thumb.is_empty() || (cell.in_bin && asked.is_none()) {
            let name = cell.name.clone();
            return asked
                .map(|_| view! { <span class="photo-found photo-none" dir="auto">{name}</span> }.into_any());
        }
        let name = first.iter().find(|(of, _)| of == id).map(|(_, name)| name.clone()).unwrap_or_default();
        let day = words::day(&cell, &page.wall.now.get_untracked());
        // What stands below the picture is said first: it is what somebody who speaks to the page says.
        let spoken = words::spoken(&cell, &day);
        let spoken = if name.is_empty() { spoken } else { format!("{name}: {spoken}") };
        let id = id.clone();
        let picture = view! { <img src=Cell::address(thumb) alt="" loading="lazy" decoding="async" /> };
        if asked.is_some() {
            // A picture, and no way out of the question.
            return Some(
                view! { <span class="photo-found" role="img" aria-label=spoken>{picture}</span> }.into_any(),
            );
        }
        let drawn = view! {
            <button type="button" class="photo-found" aria-label=spoken on:click=move |_| show(Some(id.clone()))>
                {picture}
                {(!name.is_empty()).then(|| view! { <span class="photo-found-name" dir="auto">{name}</span> })}
            </button>
        };
        Some(drawn.into_any())
    };
    let pictures = move || {
        let cells = names.with(|names| named(cells.get(), names));
        cells.into_iter().filter_map(&picture).collect_view()
    };
    view! {
        <div class="photo-strip" data-testid="photo-strip">
            {pictures}
            {match asked {
                Some(asked) => {
                    let more = asked.saturating_sub(shown);
                    (more > 0).then(|| view! { <span class="hint">{words::and_more(more)}</span> }).into_any()
                }
                None => {
                    view! {
                        <button type="button" class="text-button" data-testid="photo-show-found" on:click=move |_| show(None)>
                            {words::show_found(count)}
                        </button>
                    }
                        .into_any()
                }
            }}
            {wanted
                .map(|wanted| {
                    let label = words::save_so_many(count, wanted.gps && !wanted.is_small);
                    view! {
                        <button
                            type="button"
                            class="button"
                            data-testid="photo-save-found"
                            aria-disabled=move || saving.is_working().to_string()
                            on:click=move |_| saving.as_zip(wanted.clone())
                        >
                            {label}
                        </button>
                    }
                })}
            <Exporting saving />
        </div>
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_shows_its_first_photos_and_of_groups_one_each() {
        let few = json!({"num_images": 2, "items": [{"id": "a"}, {"id": "b"}]});
        assert_eq!(Pictures::of(&few).all, ["a", "b"]);
        let many = json!({"items": [{"id": "a"}], "ids": ["a", "b", "c", "d", "e", "f", "g"]});
        let many = Pictures::of(&many);
        assert_eq!((many.all.len(), many.first.len()), (7, 6));
        let of_trip = json!({"items": [{"id": "a"}], "ids": ["a"], "title": "Paris"});
        assert_eq!((&*Pictures::of(&of_trip).title, &*many.title), ("Paris", ""));
        let groups = json!({"clusters": [
            {"name": "Paris", "ids": ["a", "b"]}, {"name": "Rome", "ids": ["c"]}, {"name": "Nothing", "ids": []},
        ]});
        let groups = Pictures::of(&groups);
        let first: Vec<_> = groups.first.iter().map(|(id, name)| (&**id, &**name)).collect();
        assert_eq!((first, groups.all.len()), (vec![("a", "Paris"), ("c", "Rome")], 3));
        let people = json!({"people": [
            {"name": "Ada", "ids": ["a", "b"]}, {"name": "Bob", "ids": ["a", "c"]}, {"name": "Eve", "ids": ["a"]},
        ]});
        let people = Pictures::of(&people);
        let first: Vec<_> = people.first.iter().map(|(id, name)| (&**id, &**name)).collect();
        assert_eq!(
            (first, people.all),
            (vec![("a", "Ada"), ("c", "Bob")], vec!["a".into(), "b".into(), "c".into()])
        );
        assert_eq!(Pictures::of(&json!({"summary": "No photos."})), Pictures::default());
    }

    #[test]
    fn what_would_change_is_shown_and_counted() {
        let row = |table: &str, id: usize| json!({"table": table, "id": id.to_string()});
        let few = json!({"total": 2, "changes": [row("albums", 1), row("photos", 2)]});
        let few = Pictures::that_would_change(&few);
        assert_eq!((few.all, few.first.len(), few.asked), (vec!["2".to_owned()], 1, Some(1)));
        let changes: Vec<Value> = (0..50).map(|id| row("photos", id)).collect();
        let many = Pictures::that_would_change(&json!({"total": 300, "changes": changes}));
        assert_eq!((many.first.len(), many.asked), (8, Some(300)));
        assert!(Pictures::that_would_change(&json!({"summary": "Nothing."})).first.is_empty());
    }

    #[test]
    fn what_was_prepared_can_be_saved_where_its_bytes_are() {
        let all = vec!["a".to_owned()];
        let is = |answer: Value| {
            wanted(&answer, &all).map(|wanted| (wanted.is_small, wanted.gps, wanted.images.len()))
        };
        assert_eq!(is(json!({"size": "originals", "gps": false})), Some((false, false, 1)));
        assert_eq!(is(json!({"size": "small", "gps": true})), Some((true, true, 1)));
        assert_eq!(is(json!({"size": "small", "in_folders": true})), None);
        assert_eq!(is(Value::Null), None);
    }
}
