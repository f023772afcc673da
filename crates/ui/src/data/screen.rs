//! The rooms of the settings about the person's data: storage and the end of it all, files out and in, copies.

use leptos::prelude::*;
use leptos::task::spawn_local;
use serde_json::{Value, json};

use super::copies::Copies;
use super::erase::Erase;
use super::import::Import;
use super::storage::{Estimate, estimate, keep_for_good};
use super::transfer::Format;
use crate::parts::part;
use crate::toolbox::Toolbox;
use crate::toolbox::Why;
use crate::{clock, i18n};

part! {
    data,
    /// How it is kept, and how it goes for good.
    pub fn data_room() -> fn() -> AnyView {
        || {
            view! {
                <StorageView />
                <Erase />
            }
            .into_any()
        }
    }
}

part! {
    data,
    /// Files out and in.
    pub fn files_room() -> fn() -> AnyView {
        || {
            view! {
                <Export />
                <Import />
            }
            .into_any()
        }
    }
}

part! {
    data,
    /// Copies to go back to.
    pub fn copies_room() -> fn() -> AnyView {
        || view! { <Copies /> }.into_any()
    }
}

/// How much is used, whether it is safe, and what was found wrong with it.
#[component]
fn StorageView() -> impl IntoView {
    let toolbox = Toolbox::shared();
    let browser = RwSignal::new(None::<Estimate>);
    let tools = RwSignal::new(None::<Result<Value, String>>);
    let refused = RwSignal::new(false);
    let reload = move || {
        let toolbox = toolbox.get_value();
        spawn_local(async move {
            let _ = browser.try_set(Some(estimate().await));
            let asked = toolbox.run("data_storage", json!({}), &clock::new_id("read"), Why::Do).await;
            let _ = tools.try_set(Some(asked));
        });
    };
    reload();
    let keep = move |_| {
        spawn_local(async move {
            let kept = keep_for_good().await;
            let _ = refused.try_set(!kept);
            reload();
        });
    };
    let notes = move || {
        let list = tools.with(|tools| match tools {
            Some(Ok(answer)) => answer.get("notes").and_then(Value::as_array).cloned().unwrap_or_default(),
            Some(Err(why)) => vec![Value::String(why.clone())],
            None => Vec::new(),
        });
        list.iter().filter_map(Value::as_str).map(str::to_owned).collect::<Vec<_>>()
    };
    view! {
        <fieldset id="storage" tabindex="-1" data-testid="storage">
            <legend>{i18n::storage()}</legend>
            <p data-testid="storage-counts">
                {move || tools.with(|tools| match tools {
                    Some(Ok(answer)) => i18n::what_is_kept(answer),
                    Some(Err(_)) => String::new(),
                    None => i18n::looking_at_storage().to_owned(),
                })}
            </p>
            <p class="hint" data-testid="storage-used">
                {move || browser.get().map(|found| crate::data::words::storage_used(found.used, found.quota))}
            </p>
            <div class="storage-kept">
                <p class="hint" data-testid="storage-kept" data-kept=move || {
                    browser.get().and_then(|found| found.kept_for_good).map(|kept| kept.to_string())
                }>
                    {move || browser.get().map(|found| i18n::kept_for_good(found.kept_for_good, refused.get()))}
                </p>
                <Show when=move || browser.get().is_some_and(|found| found.kept_for_good == Some(false))>
                    <button type="button" class="button" data-testid="storage-keep" on:click=keep>
                        {i18n::keep_for_good()}
                    </button>
                </Show>
            </div>
            {move || {
                let notes = notes();
                (!notes.is_empty())
                    .then(|| {
                        view! {
                            <div class="notice notice-bad" role="status" data-testid="storage-notes">
                                <ul>
                                    {notes.into_iter().map(|note| view! { <li dir="auto">{note}</li> }).collect_view()}
                                </ul>
                            </div>
                        }
                    })
            }}
        </fieldset>
    }
}

/// The to-dos as files.
#[component]
fn Export() -> impl IntoView {
    let toolbox = Toolbox::shared();
    let said = RwSignal::new(String::new());
    let save = move |format: Format| {
        let toolbox = toolbox.get_value();
        spawn_local(async move {
            let arguments = json!({ "format": format.word() });
            let answer = toolbox.run("data_export", arguments, &clock::new_id("read"), Why::Do).await;
            let text = match &answer {
                Ok(file) => {
                    let field = |name: &str| file.get(name).and_then(Value::as_str).unwrap_or_default();
                    // Spreadsheets take a file for UTF-8 when it begins with this mark.
                    let mark = if format == Format::Csv { "\u{feff}" } else { "" };
                    let text = format!("{mark}{}", field("text"));
                    if web::files::save(field("file_name"), field("media_type"), &text) {
                        i18n::exported(field("file_name"))
                    } else {
                        i18n::no_download().to_owned()
                    }
                }
                Err(why) => why.clone(),
            };
            let _ = said.try_set(text);
        });
    };
    view! {
        <fieldset id="export">
            <legend>{i18n::export()}</legend>
            <p class="hint">{i18n::export_hint()}</p>
            <div class="button-row">
                {Format::ALL
                    .map(|format| {
                        view! {
                            <button
                                type="button"
                                class="button"
                                data-testid=format!("export-{}", format.word())
                                on:click=move |_| save(format)
                            >
                                {crate::data::words::format_name(format)}
                            </button>
                        }
                    })}
            </div>
            <p class="hint" role="status" data-testid="export-said">
                {said}
            </p>
        </fieldset>
    }
}
