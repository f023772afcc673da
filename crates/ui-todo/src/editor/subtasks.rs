//! The parts of a to-do: ticked, added, put in order, made parts of each other. Each is done at once, and can be undone like anything
//! else: they are to-dos of their own.

use leptos::ev::KeyboardEvent;
use leptos::html;
use leptos::prelude::*;
use leptos::task::spawn_local;
use serde::Deserialize;
use serde_json::json;
use ui_kit::{Each, Icon, Say, is_composing};

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

const WAYS: [Way; 4] = [Way::Up, Way::Down, Way::In, Way::Out];

/// The parts of the to-do with this id.
pub fn subtasks(live: Live, id: String) -> AnyView {
    let parts = RwSignal::new(Vec::<Part>::new());
    let of = StoredValue::new(id);
    ui_kit::effect(move |_| {
        live.tools.news.track();
        let address = of.with_value(|id| format!("todo://parts/{id}"));
        spawn_local(async move {
            let Ok(text) = live.tools.caller().resource(&address).await else { return };
            if let Ok(read) = serde_json::from_str(&text) {
                parts.try_set(read);
            }
        });
    });
    let field = NodeRef::<html::Input>::new();
    let add = move || {
        let Some(line) = field.get_untracked() else { return false };
        let title = line.value().trim().to_owned();
        if title.is_empty() {
            return false;
        }
        line.set_value("");
        let asked = json!({ "title": title, "parent": of.get_value() });
        live.tools.run("todo_create", asked, Say::Nothing, move |is_done| {
            // What was refused is not lost, unless the next one is being typed.
            if let Some(line) = field.try_get_untracked().flatten()
                && !is_done
                && line.value().is_empty()
            {
                line.set_value(&title);
            }
        });
        true
    };
    let keys = move |event: KeyboardEvent| {
        if event.key() == "Enter" && !is_composing(&event) && add() {
            event.prevent_default();
        }
    };
    let each = move || {
        let all = parts.get();
        let depth = |part: &Part| depth(&all, part);
        all.iter().map(|part| (part.clone(), depth(part))).collect::<Vec<_>>()
    };
    let row = move |(part, depth): (Part, usize)| {
        let (done, title) = (part.status == Status::Done, part.title.clone());
        let (ticked, moved) = (part.id.clone(), part.id.clone());
        let tick = move |_| {
            let tool = if done { "todo_reopen" } else { "todo_complete" };
            live.tools.run(tool, json!({ "id": ticked }), Say::Nothing, |_| {});
        };
        let go = move |way: Way| {
            for asked in parts.with_untracked(|all| change(all, &moved, way, &of.get_value())) {
                live.tools.run("todo_update", asked, Say::Nothing, |_| {});
            }
        };
        let keys = {
            let go = go.clone();
            move |event: KeyboardEvent| {
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
            }
        };
        let ways = WAYS.map(|way| {
            let go = go.clone();
            let (sign, name) = words::way(way as usize);
            view! {
                <button
                    type="button"
                    class="icon-button quiet"
                    aria-label=format!("{name}: {title}")
                    title=name
                    on:click=move |_| go(way)
                >
                    <span aria-hidden="true">{sign}</span>
                </button>
            }
        });
        view! {
            <li
                class="subtask"
                style:padding-inline-start=format!("{}rem", depth.min(DEEPEST) as f32 * 1.25)
                data-depth=depth
                data-testid="subtask"
                data-status=part.status.word()
                on:keydown=keys
            >
                <button
                    type="button"
                    class="check"
                    role="checkbox"
                    aria-checked=done.to_string()
                    aria-label=words::mark_done(&title)
                    on:click=tick
                >
                    <span class="check-box" aria-hidden="true">{Icon::Check.draw()}</span>
                </button>
                <span class="todo-title" dir="auto">{title.clone()}</span>
                <span class="subtask-ways">{ways}</span>
            </li>
        }
    };
    view! {
        <div class="edit-whole edit-subtasks" role="group" aria-label=words::SUBTASKS data-testid="edit-subtasks">
            <ul class="subtasks">
                <Each
                    each=each
                    key=|(part, depth): &(Part, usize)| {
                        format!("{} {depth} {} {}", part.id, part.status.word(), part.title)
                    }
                    children=row
                />
            </ul>
            <label>
                <span>{words::ADD_SUBTASK}</span>
                <input
                    node_ref=field
                    class="field"
                    type="text"
                    dir="auto"
                    maxlength="500"
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
        Way::In => at
            .checked_sub(1)
            .map(|above| json!({ "id": id, "parent": beside[above].id }))
            .into_iter()
            .collect(),
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
            ("c", Way::In, vec![json!({"id": "c", "parent": "b"})]),
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
