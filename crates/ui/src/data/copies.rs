//! Copies of the to-dos on this device: those taken by themselves before a large change, and the person's own.

use leptos::prelude::*;
use leptos::task::spawn_local;
use serde_json::{Value, json};
use ui_kit::Each;

use super::transfer::Snapshot;
use crate::clock;
use crate::i18n;
use crate::toolbox::Toolbox;
use crate::toolbox::Why;

/// The part of the section.
#[component]
pub fn Copies() -> impl IntoView {
    let toolbox = Toolbox::shared();
    let copies = RwSignal::new(Vec::<Snapshot>::new());
    // With whether a tool said it, which is English in every language of the page.
    let said = RwSignal::new((String::new(), false));
    // The copy that is about to be gone back to, and how many to-dos that changes.
    let asking = RwSignal::new(None::<(String, u64)>);
    let reload = move || {
        let toolbox = toolbox.get_value();
        spawn_local(async move {
            match toolbox.run("data_snapshots", json!({}), &clock::new_id("read"), Why::Do).await {
                Ok(answer) => drop(copies.try_set(Snapshot::list(&answer))),
                Err(why) => drop(said.try_set((why, false))),
            }
        });
    };
    reload();
    let take = move |_| {
        let toolbox = toolbox.get_value();
        spawn_local(async move {
            let arguments = json!({ "name": i18n::copy_by_hand() });
            let taken = toolbox.run("data_snapshot", arguments, &clock::new_id("hand"), Why::Do).await;
            let _ = said.try_set(summary(&taken));
            reload();
        });
    };
    let restore = move |id: String, why: Why| {
        let toolbox = toolbox.get_value();
        spawn_local(async move {
            let key = clock::new_id(if why == Why::Do { "hand" } else { "preview" });
            let answer = toolbox.run("data_restore", json!({ "snapshot": id }), &key, why).await;
            match (&answer, why) {
                (Ok(answer), Why::Preview) => {
                    let total = answer.get("total").and_then(Value::as_u64).unwrap_or_default();
                    let _ = asking.try_set(Some((id, total)));
                }
                (_, Why::Do) | (Err(_), Why::Preview) => {
                    let _ = asking.try_set(None);
                    let _ = said.try_set(summary(&answer));
                    reload();
                }
            }
        });
    };
    view! {
        <fieldset>
            <legend>{i18n::copies()}</legend>
            <p class="hint">{i18n::copies_hint()}</p>
            <ul class="plain-list copies" data-testid="copies">
                <Each
                    each=move || copies.get()
                    key=|copy| copy.id.clone()
                    children=move |copy| {
                        let (id, of) = (copy.id.clone(), copy.id.clone());
                        let asked = move || {
                            asking.with(|asking| asking.as_ref().filter(|(id, _)| *id == of).map(|(_, total)| *total))
                        };
                        let words = i18n::copy_holds(i18n::whole(copy.count), &crate::moment::ago(copy.at));
                        view! {
                            <li class="copy" data-testid="copy">
                                <span class="copy-name">
                                    <span dir="auto">{copy.name}</span>
                                    <span class="hint">{words}</span>
                                </span>
                                {move || {
                                    let (id, again) = (id.clone(), id.clone());
                                    match asked() {
                                        None => {
                                            view! {
                                                <button
                                                    type="button"
                                                    class="text-button"
                                                    data-testid="copy-restore"
                                                    on:click=move |_| restore(id.clone(), Why::Preview)
                                                >
                                                    {i18n::go_back_to_it()}
                                                </button>
                                            }
                                                .into_any()
                                        }
                                        Some(total) => {
                                            view! {
                                                <span role="status">{i18n::restore_changes(i18n::whole(total))}</span>
                                                <span class="notice-buttons">
                                                    <button
                                                        type="button"
                                                        class="button danger"
                                                        data-testid="copy-confirm"
                                                        on:click=move |_| restore(again.clone(), Why::Do)
                                                    >
                                                        {i18n::go_back_to_it()}
                                                    </button>
                                                    <button
                                                        type="button"
                                                        class="button"
                                                        on:click=move |_| asking.set(None)
                                                    >
                                                        {i18n::cancel()}
                                                    </button>
                                                </span>
                                            }
                                                .into_any()
                                        }
                                    }
                                }}
                            </li>
                        }
                    }
                />
            </ul>
            <div class="button-row">
                <button type="button" class="button" id="copy-take" data-testid="copy-take" on:click=take>
                    {i18n::take_a_copy()}
                </button>
            </div>
            <p class="hint" role="status" lang=move || said.with(|said| said.1.then_some("en")) data-testid="copies-said">
                {move || said.with(|said| said.0.clone())}
            </p>
        </fieldset>
    }
}

fn summary(answer: &Result<Value, String>) -> (String, bool) {
    match answer {
        Ok(answer) => (answer.get("summary").and_then(Value::as_str).unwrap_or_default().to_owned(), true),
        Err(why) => (why.clone(), false),
    }
}
