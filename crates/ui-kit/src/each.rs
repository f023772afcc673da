//! Lists of views that are kept by key.

use leptos::prelude::*;

/// One item: its key, and what draws it.
struct Item {
    key: String,
    draw: Box<dyn FnOnce() -> AnyView + Send>,
}

/// What `<For>` of leptos is, with its code in the page once: items reach it as a key in letters and a function that draws.
///
/// `<For>` is made anew for each kind of item, 2.5 kB of wasm every time. Two items of a list must not have one key.
#[component]
pub fn Each<T, I, K, N>(
    /// The items, in the order they are shown. What it reads is tracked.
    each: impl Fn() -> I + Send + 'static,
    /// What makes an item the same as one that is shown already: that one's view stays as it is.
    key: impl Fn(&T) -> K + Send + 'static,
    /// Draws an item, once.
    children: impl Fn(T) -> N + Clone + Send + 'static,
) -> impl IntoView
where
    T: Send + 'static,
    I: IntoIterator<Item = T>,
    K: ToString,
    N: IntoView + 'static,
{
    let item = move |item: T| {
        let children = children.clone();
        Item { key: key(&item).to_string(), draw: Box::new(move || children(item).into_any()) }
    };
    erased(Box::new(move || each().into_iter().map(&item).collect()))
}

fn erased(items: Box<dyn Fn() -> Vec<Item> + Send>) -> AnyView {
    view! { <For each=items key=|item: &Item| item.key.clone() children=|item: Item| (item.draw)() /> }
        .into_any()
}
