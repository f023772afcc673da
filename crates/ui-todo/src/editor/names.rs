//! The names of lists and tags there are, to choose from.

use leptos::prelude::*;
use leptos::task::spawn_local;
use serde::Deserialize;

use crate::live::Live;

/// A list or a tag.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct Name {
    /// What it is called.
    pub name: String,
    /// How many open to-dos have it.
    #[serde(default)]
    pub open: usize,
}

/// What there is to choose from.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
pub struct Names {
    /// Lists.
    pub lists: Vec<Name>,
    /// Tags.
    pub tags: Vec<Name>,
}

impl Names {
    /// The names there are, as soon as they are read, and again whenever anything changed. Where they cannot be read there is nothing to
    /// choose from, and any name can be typed.
    pub fn read(live: Live) -> RwSignal<Self> {
        let names = RwSignal::new(Self::default());
        ui_kit::effect(move |_| {
            live.tools.news.track();
            spawn_local(async move {
                if let Some(read) = Self::now(live).await
                    && names.try_with_untracked(|known| *known != read) == Some(true)
                {
                    names.set(read);
                }
            });
        });
        names
    }

    /// The names there are now; none where they cannot be read.
    pub async fn now(live: Live) -> Option<Self> {
        let text = live.tools.caller().resource("todo://names").await.ok()?;
        serde_json::from_str(&text).ok()
    }
}

/// What a field offers.
pub fn offers(id: String, names: impl Fn() -> Vec<Name> + Send + 'static) -> AnyView {
    let options = move || {
        names()
            .into_iter()
            .map(|Name { name, .. }| view! { <option value=name></option> })
            .collect::<Vec<_>>()
    };
    view! { <datalist id=id>{options}</datalist> }.into_any()
}
