//! Near-duplicates, group by group and side by side: the best one marked and why it is that, and buttons that keep it and put the others
//! into the bin.

use leptos::html;
use leptos::prelude::*;
use serde_json::json;
use ui_kit::window::{Scroll, Slot, Windowed, windowed};
use ui_kit::{Icon, Say, memo};

use crate::grid::Thumb;
use crate::library::Cell;
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
    let keep_all = move |_| keep(view, groups.with_untracked(|groups| spare(groups)), waits);
    let slots = move |range: std::ops::Range<usize>| {
        groups.with(|groups| {
            let slot = |at: usize| {
                let group = groups.get(at)?;
                // A group is another one when anything that is said of its photos is.
                let said = |cell: &Cell| format!("{} {} {:?};", cell.id, words::why_best(cell), cell.albums);
                Some(Slot { key: group.iter().map(said).collect(), at })
            };
            range.filter_map(slot).collect()
        })
    };
    let draw = move |slot: Slot| {
        let group = groups.with_untracked(|groups| groups.get(slot.at).cloned()).unwrap_or_default();
        view! { <Group view group number=slot.at + 1 waits /> }.into_any()
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
                <button type="button" class="button" data-testid="photo-keep-all" on:click=keep_all>
                    {Icon::Trash.draw()}
                    <span>{move || words::keep_all_best(gone.get())}</span>
                </button>
                <p class="hint" role="status">
                    {move || words::groups(count.get())} ". " {move || words::are_dear(kept_dear.get())}
                </p>
            </div>
        </Show>
        <div node_ref=scroller class="row-list" data-testid="photo-duplicates" tabindex="-1" on:scroll=move |_| scroll.moved()>
            <Show when=move || count.get() == 0>
                <div class="empty" data-testid="photo-no-duplicates">
                    <p class="empty-title">{words::NO_DUPLICATES}</p>
                    <p>{words::NO_DUPLICATES_HINT}</p>
                </div>
            </Show>
            {list}
        </div>
    }
}

/// Puts photos into the bin.
fn keep(view: View, gone: Vec<String>, waits: RwSignal<bool>) {
    waits.set(true);
    view.page.tools.run("photo_delete", json!({ "images": gone }), Say::SummaryWithUndo, |_| {});
}

/// One group.
#[component]
fn Group(view: View, group: Vec<Cell>, number: usize, waits: RwSignal<bool>) -> impl IntoView {
    let groups = std::slice::from_ref(&group);
    let (gone, warning) = (spare(groups), words::are_dear(dear(groups)));
    let label = words::keep_best(gone.len());
    let title = words::group_title(number, group.len());
    let photos = group.into_iter().enumerate().map(|(at, cell)| {
        let is_best = at == 0;
        let (why, dear) = (words::why_best(&cell), words::dear(&cell).filter(|_| !is_best));
        let size = words::pixels(cell.width, cell.height);
        view! {
            <li class="photo-twin" class:photo-twin-best=is_best data-testid="photo-twin">
                <Thumb view cell column=at + 1 is_stop=Signal::stored(true) in_grid=false />
                <p>
                    {is_best.then(|| view! { <strong class="photo-best" data-testid="photo-best">{words::THE_BEST}</strong> })} " "
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
                on:click=move |_| keep(view, gone.clone(), waits)
            >
                {words::KEEP_BEST}
            </button>
        </li>
    }
}
