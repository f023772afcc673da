//! Near-duplicates, group by group and side by side: the best one marked and why it is that, and buttons that keep it and put the others
//! into the bin.

use leptos::ev::MouseEvent;
use leptos::html;
use leptos::prelude::*;
use serde_json::json;
use ui_kit::window::{Scroll, Slot, Windowed, windowed};
use ui_kit::{Icon, Say, memo};

use crate::grid::Thumb;
use crate::library::Cell;
use crate::press::{Waits, hold_once, is_single};
use crate::view::View;
use crate::words;

/// How far beyond what is seen groups are kept in the page, and how high one is taken to be, in CSS pixels.
const MARGIN_PX: f64 = 600.0;
const GROUP_PX: f64 = 260.0;

/// The ids of all but the best of these groups.
fn spare(groups: &[Vec<Cell>]) -> Vec<String> {
    groups.iter().flat_map(|group| &group[1..]).map(|cell| cell.id.clone()).collect()
}

/// How many of those that would go have stars or are in an album.
fn dear(groups: &[Vec<Cell>]) -> usize {
    groups.iter().flat_map(|group| &group[1..]).filter(|cell| words::dear(cell).is_some()).count()
}

/// The groups, in place of the grid.
#[component]
pub fn Duplicates(view: View) -> impl IntoView {
    let groups = view.twins;
    // The button that put photos into the bin goes with its group: the next one has the focus then, or the pane's title.
    let waits = RwSignal::new(false);
    ui_kit::effect(move |_| {
        groups.track();
        if waits.get_untracked() {
            waits.set(false);
            request_animation_frame(|| {
                // Whoever went on meanwhile is not called back.
                if web::page::nothing_has_focus() && !web::page::focus(".photo-keep") {
                    web::page::focus("#photos-title");
                }
            });
        }
    });
    let scroller = NodeRef::<html::Div>::new();
    let scroll = Scroll::of(scroller);
    let count = memo(move |_| groups.with(Vec::len));
    let gone = memo(move |_| groups.with(|groups| groups.iter().map(|group| group.len() - 1).sum::<usize>()));
    let kept_dear = memo(move |_| groups.with(|groups| dear(groups)));
    let keeping = Keeping { waits, answer: Waits::new() };
    let keep_all = move |event: MouseEvent| {
        keeping.keep(view, &event, groups.with_untracked(|groups| spare(groups)));
    };
    let slots = move |range: std::ops::Range<usize>| {
        groups.with(|groups| {
            let slot = |at: usize| {
                let group = groups.get(at)?;
                Some(Slot { key: group.iter().map(said).collect(), at })
            };
            range.filter_map(slot).collect()
        })
    };
    let draw = move |slot: Slot| {
        let group = groups.with_untracked(|groups| groups.get(slot.at).cloned()).unwrap_or_default();
        view! { <Group view group keeping /> }.into_any()
    };
    let list = windowed(Windowed {
        scroll,
        count: count.into(),
        at_end: Signal::stored(false),
        margin_px: MARGIN_PX,
        estimate_px: GROUP_PX,
        slots: Box::new(slots),
        draw: Box::new(draw),
        list_class: "photo-twins",
        is_list: true,
    });
    view! {
        <Show when=move || { count.get() > 0 }>
            <div class="photo-bar">
                <button type="button" class="button" data-testid="photo-keep-all" on:click=keep_all on:keydown=move |event| hold_once(&event)>
                    {Icon::Trash.draw()}
                    <span>{move || words::keep_all_best(gone.get())}</span>
                </button>
                <p class="hint" role="status">
                    {move || words::groups(count.get())} " " {move || words::are_dear(kept_dear.get())}
                </p>
            </div>
        </Show>
        <div node_ref=scroller class="row-list" data-testid="photo-duplicates" tabindex="-1" on:scroll=move |_| scroll.moved()>
            <Show when=move || count.get() == 0>
                <div class="empty" data-testid="photo-no-duplicates">
                    <p class="empty-title">{words::no_duplicates()}</p>
                    <p>{words::no_duplicates_hint()}</p>
                </div>
            </Show>
            {list}
        </div>
    }
}

/// All that is said of a photo of a group: one of which anything else is said is drawn anew, so that a name that is erased is said no more.
fn said(cell: &Cell) -> String {
    let (why, known) = (words::why_best(cell), words::known(cell));
    format!("{} {} {} {why} {known} {:?};", cell.id, cell.thumb, cell.at, cell.albums)
}

/// What the buttons share that put photos into the bin. Copies are the same.
#[derive(Clone, Copy)]
struct Keeping {
    /// The focus waits for what comes of it.
    waits: RwSignal<bool>,
    /// The last press has no answer yet.
    answer: Waits,
}

impl Keeping {
    /// Puts photos into the bin; one press is for one group, which was looked at.
    fn keep(self, view: View, event: &MouseEvent, gone: Vec<String>) {
        if !is_single(event) || gone.is_empty() || !self.answer.begin() {
            return;
        }
        self.waits.set(true);
        let done = move |_| self.answer.end();
        view.page.tools.run("photo_delete", json!({ "images": gone }), Say::SummaryWithUndo, done);
    }
}

/// One group.
#[component]
fn Group(view: View, group: Vec<Cell>, keeping: Keeping) -> impl IntoView {
    let groups = std::slice::from_ref(&group);
    let (gone, warning) = (spare(groups), words::are_dear(dear(groups)));
    let label = words::keep_best(gone.len());
    let (count, best) = (group.len(), group[0].id.clone());
    // Those before it may go.
    let number = memo(move |_| {
        view.twins
            .with(|groups| groups.iter().position(|group| group.first().is_some_and(|cell| cell.id == best)))
    });
    let title = move || number.get().map(|at| words::group_title(at + 1, count));
    let photos = group.into_iter().enumerate().map(|(at, cell)| {
        let is_best = at == 0;
        let (why, dear) = (words::why_best(&cell), words::dear(&cell).filter(|_| !is_best));
        let size = words::pixels(cell.width, cell.height);
        view! {
            <li class="photo-twin" class:photo-twin-best=is_best data-testid="photo-twin">
                <Thumb view cell column=at + 1 is_stop=Signal::stored(true) in_grid=false />
                <p>
                    {is_best.then(|| view! { <strong class="photo-best" data-testid="photo-best">{words::the_best()}</strong> })} " "
                    {why}
                </p>
                {dear.map(|dear| view! { <p class="photo-dear" dir="auto">{dear}</p> })}
                <p class="hint">{size}</p>
            </li>
        }
    });
    view! {
        <li class="photo-group" data-testid="photo-group">
            <h3 class="photo-day">{title}</h3>
            <ul class="photo-twin-row">{photos.collect_view()}</ul>
            {warning.map(|warning| view! { <p class="photo-dear">{warning}</p> })}
            <button
                type="button"
                class="button photo-keep"
                data-testid="photo-keep"
                aria-label=label
                on:click=move |event| keeping.keep(view, &event, gone.clone())
                on:keydown=move |event| hold_once(&event)
            >
                {words::keep_best_word()}
            </button>
        </li>
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_group_of_which_anything_else_is_said_is_another_one() {
        let named = Cell { id: "a".into(), people: vec!["Ada".into()], faces: Some(1), ..Cell::default() };
        let erased = Cell { people: Vec::new(), ..named.clone() };
        let placed = Cell { place: "Paris".into(), ..erased.clone() };
        assert_ne!(said(&named), said(&erased));
        assert_ne!(said(&erased), said(&placed));
    }
}
