//! The parts of a to-do: ticked, added, put in order, made parts of each other. Each is done at once, and can be undone like anything
//! else: they are to-dos of their own.

use leptos::ev::KeyboardEvent;
use leptos::html;
use leptos::prelude::*;
use leptos::task::spawn_local;
use serde::Deserialize;
use serde_json::json;
use ui_kit::{Each, Say, is_composing};
use wasm_bindgen::JsCast;

use crate::item::check_box;
use crate::live::Live;
use crate::model::Status;
use crate::words;

/// A to-do that is a part of another one.
#[derive(Clone, Debug, PartialEq, Deserialize)]
struct Part {
    id: String,
    title: String,
    status: Status,
    parent: Option<String>,
    #[serde(default)]
    order: f64,
}

/// Where a part goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Way {
    Up,
    Down,
    In,
    Out,
}

/// Parts below this depth stand no further in: on a phone there is no room.
const DEEPEST: usize = 5;

/// The ways, each with its sign and its name.
const WAYS: [(Way, &str, ui_kit::language::Word); 4] = [
    (Way::Up, "↑", words::move_up),
    (Way::Down, "↓", words::move_down),
    (Way::In, "→", words::move_in),
    (Way::Out, "←", words::move_out),
];

/// The line in which the next part is typed. A handle.
#[derive(Clone, Copy)]
pub struct SubtaskLine {
    live: Live,
    field: NodeRef<html::Input>,
    /// The to-do that the form is about.
    of: StoredValue<String>,
}

impl SubtaskLine {
    /// The line of a form.
    pub fn new(live: Live, of: String) -> Self {
        Self { live, field: NodeRef::new(), of: StoredValue::new(of) }
    }

    /// Whether something is typed that is not added.
    pub fn is_begun(self) -> bool {
        let line = self.field.try_get_untracked().flatten();
        line.is_some_and(|line| !line.value().trim().is_empty())
    }

    /// Adds what is typed; false where nothing is.
    pub fn add(self) -> bool {
        let Some(line) = self.field.try_get_untracked().flatten() else { return false };
        let title = line.value().trim().to_owned();
        if title.is_empty() {
            return false;
        }
        line.set_value("");
        let asked = json!({ "title": title, "parent": self.of.get_value() });
        self.live.tools.run("todo_create", asked, Say::Nothing, move |is_done| {
            // What was refused is not lost, unless the next one is being typed.
            if let Some(line) = self.field.try_get_untracked().flatten()
                && !is_done
                && line.value().is_empty()
            {
                line.set_value(&title);
            }
        });
        true
    }
}

/// The parts of a to-do.
pub fn subtasks(line: SubtaskLine) -> AnyView {
    let SubtaskLine { live, field, of } = line;
    let parts = RwSignal::new(Vec::<Part>::new());
    // What had the focus when a part was moved: taken out and put in again, it would have lost it.
    let moved = StoredValue::new_local(None::<web_sys::Element>);
    let asked = StoredValue::new(0_u32);
    ui_kit::effect(move |_| {
        live.tools.news.track();
        let address = of.with_value(|id| format!("todo://parts/{id}"));
        let number = asked.get_value() + 1;
        asked.set_value(number);
        spawn_local(async move {
            let Ok(text) = live.tools.caller().resource(&address).await else { return };
            // A later read has the word.
            if asked.try_get_value() != Some(number) {
                return;
            }
            let Ok(read) = serde_json::from_str::<Vec<Part>>(&text) else { return };
            if parts.try_with_untracked(|known| *known != read) == Some(true) {
                parts.set(read);
                request_animation_frame(move || give_back(moved));
            }
        });
    });
    let keys = move |event: KeyboardEvent| {
        if event.key() == "Enter" && !is_composing(&event) && line.add() {
            event.prevent_default();
        }
    };
    view! {
        <div class="edit-whole edit-subtasks" role="group" aria-label=words::subtasks() data-testid="edit-subtasks">
            <ul class="subtasks">
                <Each
                    each=move || parts.with(|parts| parts.iter().map(|part| part.id.clone()).collect::<Vec<_>>())
                    key=|id: &String| id.clone()
                    children=move |id| row(live, parts, of, moved, id)
                />
            </ul>
            <label>
                <span>{words::add_subtask()}</span>
                <input
                    node_ref=field
                    class="field"
                    type="text"
                    dir="auto"
                    autocomplete="off"
                    enterkeyhint="done"
                    data-testid="subtask-add"
                    on:keydown=keys
                />
            </label>
        </div>
    }
    .into_any()
}

/// Gives the focus back to what was moved with it, where nothing else took it.
fn give_back(moved: StoredValue<Option<web_sys::Element>, LocalStorage>) {
    let Some(Some(element)) = moved.try_update_value(Option::take) else { return };
    if web::page::nothing_has_focus()
        && element.is_connected()
        && let Ok(element) = element.dyn_into::<web_sys::HtmlElement>()
    {
        let _ = element.focus();
    }
}

fn row(
    live: Live,
    parts: RwSignal<Vec<Part>>,
    of: StoredValue<String>,
    moved: StoredValue<Option<web_sys::Element>, LocalStorage>,
    id: String,
) -> impl IntoView {
    let id = StoredValue::new(id);
    let is_it = move |part: &&Part| id.with_value(|id| part.id == *id);
    let title = ui_kit::memo(move |_| {
        parts.with(|parts| parts.iter().find(is_it).map(|part| part.title.clone()).unwrap_or_default())
    });
    let status = ui_kit::memo(move |_| {
        parts.with(|parts| parts.iter().find(is_it).map_or(Status::Open, |part| part.status))
    });
    let deep = ui_kit::memo(move |_| {
        parts.with(|parts| parts.iter().find(is_it).map_or(0, |part| depth(parts, part)))
    });
    let done = ui_kit::memo(move |_| status.get() == Status::Done);
    let tick = move || live.turn(&id.get_value(), status.get_untracked());
    let go = move |way: Way| {
        moved.set_value(web::page::focused());
        let changes = parts.with_untracked(|all| id.with_value(|id| change(all, id, way, &of.get_value())));
        for asked in changes {
            live.tools.run("todo_update", asked, Say::Nothing, |_| {});
        }
    };
    let keys = move |event: KeyboardEvent| {
        let way = match (event.alt_key(), &*event.key()) {
            (true, "ArrowUp") => Way::Up,
            (true, "ArrowDown") => Way::Down,
            (true, "ArrowRight") => Way::In,
            (true, "ArrowLeft") => Way::Out,
            _ => return,
        };
        event.prevent_default();
        event.stop_propagation();
        go(way);
    };
    let ways = WAYS.map(|(way, sign, name)| {
        view! {
            <button
                type="button"
                class="icon-button quiet"
                aria-label=move || words::of_what(name(), &title.get())
                title=name()
                on:click=move |_| go(way)
            >
                <span aria-hidden="true">{sign}</span>
            </button>
        }
    });
    view! {
        <li
            class="subtask"
            style:padding-inline-start=move || format!("{}rem", deep.get().min(DEEPEST) as f32 * 1.25)
            data-depth=deep
            data-testid="subtask"
            data-status=move || status.get().word()
            on:keydown=keys
        >
            {check_box(done.into(), title, tick)}
            <span class="todo-title" dir="auto">{title}</span>
            <span class="subtask-ways">{ways}</span>
        </li>
    }
}

/// How deep a part lies below the to-do that the form is about.
fn depth(all: &[Part], part: &Part) -> usize {
    let mut depth = 0;
    let mut parent = part.parent.as_deref();
    while let Some(above) = all.iter().find(|above| Some(&*above.id) == parent).filter(|_| depth < all.len())
    {
        depth += 1;
        parent = above.parent.as_deref();
    }
    depth
}

/// What has to be changed for a part to go a way; nothing where it cannot. `whole` is the to-do that the form is about.
fn change(all: &[Part], id: &str, way: Way, whole: &str) -> Vec<serde_json::Value> {
    let Some(part) = all.iter().find(|part| part.id == id) else { return Vec::new() };
    let beside: Vec<&Part> = all.iter().filter(|other| other.parent == part.parent).collect();
    let Some(at) = beside.iter().position(|other| other.id == id) else { return Vec::new() };
    let placed = |before: Option<&&Part>, after: Option<&&Part>| match (before, after) {
        (Some(before), Some(after)) => f64::midpoint(before.order, after.order),
        (Some(before), None) => before.order + 1.0,
        (None, Some(after)) => after.order - 1.0,
        (None, None) => 0.0,
    };
    match way {
        Way::Up | Way::Down => {
            let to = match way {
                Way::Up if at > 0 => at - 1,
                Way::Down if at + 1 < beside.len() => at + 1,
                _ => return Vec::new(),
            };
            let mut now = beside.clone();
            let moved = now.remove(at);
            now.insert(to, moved);
            let (before, after) = (to.checked_sub(1).and_then(|at| now.get(at)), now.get(to + 1));
            let order = placed(before, after);
            let is_between = before.is_none_or(|before| before.order < order)
                && after.is_none_or(|after| order < after.order);
            if is_between {
                return vec![json!({ "id": id, "order": order })];
            }
            // No place is left between the two, or they never had one: all of them get a new one.
            now.iter().zip(1..).map(|(part, order)| json!({ "id": part.id, "order": order })).collect()
        }
        Way::In => {
            let Some(above) = at.checked_sub(1).map(|above| beside[above]) else { return Vec::new() };
            // Below the parts that are there, as it stood below them.
            let last = all.iter().rfind(|other| other.parent.as_deref() == Some(&*above.id));
            vec![json!({ "id": id, "parent": above.id, "order": placed(last.as_ref(), None) })]
        }
        Way::Out => {
            let above = all.iter().find(|above| Some(&above.id) == part.parent.as_ref());
            let Some(above) = above else { return Vec::new() };
            let parent = above.parent.as_deref().unwrap_or(whole);
            let beside: Vec<&Part> =
                all.iter().filter(|other| other.parent.as_deref() == Some(parent)).collect();
            let at = beside.iter().position(|other| other.id == above.id);
            let order = placed(Some(&above), at.and_then(|at| beside.get(at + 1)));
            vec![json!({ "id": id, "parent": parent, "order": order })]
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parts(rows: &[(&str, &str, f64)]) -> Vec<Part> {
        let part = |(id, parent, order): &(&str, &str, f64)| Part {
            id: (*id).to_owned(),
            title: (*id).to_owned(),
            status: Status::Open,
            parent: Some((*parent).to_owned()),
            order: *order,
        };
        rows.iter().map(part).collect()
    }

    #[test]
    fn a_part_goes_where_it_is_put() {
        let all =
            parts(&[("a", "w", 1.0), ("b", "w", 2.0), ("x", "b", 5.0), ("c", "w", 3.0), ("d", "w", 4.0)]);
        for (id, way, expected) in [
            ("a", Way::Up, vec![]),
            ("b", Way::Up, vec![json!({"id": "b", "order": 0.0})]),
            ("d", Way::Up, vec![json!({"id": "d", "order": 2.5})]),
            ("a", Way::Down, vec![json!({"id": "a", "order": 2.5})]),
            ("c", Way::Down, vec![json!({"id": "c", "order": 5.0})]),
            ("d", Way::Down, vec![]),
            ("a", Way::In, vec![]),
            ("c", Way::In, vec![json!({"id": "c", "parent": "b", "order": 6.0})]),
            ("d", Way::In, vec![json!({"id": "d", "parent": "c", "order": 0.0})]),
            ("c", Way::Out, vec![]),
            ("x", Way::Out, vec![json!({"id": "x", "parent": "w", "order": 2.5})]),
            ("gone", Way::Up, vec![]),
        ] {
            assert_eq!(change(&all, id, way, "w"), expected, "{id} {way:?}");
        }
        assert_eq!(all.iter().map(|part| depth(&all, part)).collect::<Vec<_>>(), [0, 0, 1, 0, 0]);
    }

    #[test]
    fn parts_that_never_had_a_place_get_one() {
        let all = parts(&[("a", "w", 0.0), ("b", "w", 0.0), ("c", "w", 0.0)]);
        assert_eq!(
            change(&all, "c", Way::Up, "w"),
            [json!({"id": "a", "order": 1}), json!({"id": "c", "order": 2}), json!({"id": "b", "order": 3})]
        );
    }
}
