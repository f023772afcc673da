//! The rules for approvals as a section of the settings: two for everything, one per tool, and what was allowed in
//! the conversation on the screen.

use agent::{Approvals, Rule};
use leptos::ev::storage;
use leptos::prelude::*;
use leptos::task::spawn_local;
use protocol::ToolSpec;
use ui_kit::Each;
use ui_kit::panel::Setting;

use crate::approvals::{KEY, change, elsewhere, load, rule, word};
use crate::controller::Controller;
use crate::i18n;
use crate::settings::Section;
use crate::settings::words::section_name;

/// The numbers on offer.
const SIZES: [u32; 3] = [1, 10, 50];

/// What can be found in it.
pub const SETTINGS: [Setting; 3] = [
    Setting { id: "approve-destructive", name: i18n::what_destroys, hint: i18n::approvals_hint },
    Setting { id: "approve-writes", name: i18n::what_changes, hint: i18n::approvals_hint },
    Setting { id: "approve-tools", name: i18n::by_tool, hint: i18n::allowed_here },
];

/// The section. It reads the rules when it comes into being and keeps each change at once.
#[component]
pub fn ApprovalSection() -> impl IntoView {
    let controller = Controller::get();
    let rules = RwSignal::new(load());
    let tools: RwSignal<Vec<ToolSpec>> = RwSignal::new(Vec::new());
    spawn_local(async move {
        let mut all = controller.tools().await;
        // Reading here never asks; a tool elsewhere that says it only reads may be asked about.
        // What goes to a tool elsewhere has the rule of that one.
        all.retain(|tool| {
            (!tool.hints.read_only || tool.hints.open_world) && elsewhere(&tool.name).is_none()
        });
        // The section may be gone by now.
        let _ = tools.try_set(all);
    });
    let heard = window_event_listener(storage, move |event| {
        if web::storage::is_about(event.key().as_deref(), KEY) {
            rules.set(load());
        }
    });
    on_cleanup(move || heard.remove());
    let change = move |how: &dyn Fn(&mut Approvals)| rules.set(change(how));
    let destructive = Signal::derive(move || Some(rules.with(|rules| rules.destructive)));
    let writes = Signal::derive(move || Some(rules.with(|rules| rules.writes)));
    let pick_destructive =
        move |picked: Option<Rule>| change(&|rules| rules.destructive = picked.unwrap_or(Rule::Always));
    let pick_writes =
        move |picked: Option<Rule>| change(&|rules| rules.writes = picked.unwrap_or(Rule::Always));
    let allowed = ui_kit::memo(move |_| {
        let current = controller.current.get();
        controller.conversations.with(|all| {
            all.iter().find(|one| one.id == current).map(|one| one.allowed.clone()).unwrap_or_default()
        })
    });
    let title_of = move |name: &str| {
        let known = |tool: &&ToolSpec| tool.name == name;
        tools
            .with(|tools| tools.iter().find(known).map_or_else(|| name.to_owned(), |tool| tool.title.clone()))
    };
    view! {
        <fieldset data-testid="approval-settings">
            <legend>{section_name(Section::Approvals)}</legend>
            <p class="hint">{i18n::approvals_hint()}</p>
            <label class="stack" id="approve-destructive">
                <span>{i18n::what_destroys()}</span>
                <RuleMenu
                    testid="approval-destructive"
                    default=None
                    chosen=destructive
                    on_pick=pick_destructive
                />
            </label>
            <label class="stack" id="approve-writes">
                <span>{i18n::what_changes()}</span>
                <RuleMenu
                    testid="approval-writes"
                    default=None
                    chosen=writes
                    on_pick=pick_writes
                />
            </label>
            <details class="tool-rules" id="approve-tools">
                <summary>{i18n::by_tool()}</summary>
                <Each
                    each=move || tools.get()
                    key=|tool| tool.name.clone()
                    children=move |tool| {
                        let (name, title) = (tool.name.clone(), tool.title.clone());
                        let picked_for = tool.name.clone();
                        let pick = move |picked: Option<Rule>| {
                            change(&|rules| {
                                rules.tools.remove(&picked_for);
                                rules.tools.extend(picked.map(|rule| (picked_for.clone(), rule)));
                            });
                        };
                        let chosen = Signal::derive(move || rules.with(|rules| rules.tools.get(&name).copied()));
                        let default = match (tool.hints.open_world, tool.hints.read_only, tool.hints.destructive) {
                            (true, true, _) => i18n::as_reading(),
                            (true, false, _) => i18n::as_outside(),
                            (false, _, true) if !agent::takes_back(&tool.name) => i18n::as_destroying(),
                            (false, _, _) => i18n::as_changing(),
                        };
                        view! {
                            <label class="tool-rule">
                                <span dir="auto">{title}</span>
                                <RuleMenu
                                    testid=format!("approval-{}", tool.name)
                                    default=Some(default)
                                    chosen=chosen
                                    on_pick=pick
                                />
                            </label>
                        }
                    }
                />
            </details>
            <Show when=move || allowed.with(|allowed| !allowed.is_empty())>
                <p class="hint">{i18n::allowed_here()}</p>
                <ul class="allowed">
                    <Each
                        each=move || allowed.get()
                        key=|tool| tool.clone()
                        children=move |tool| {
                            let shown = tool.clone();
                            view! {
                                <li>
                                    <span dir="auto">{move || title_of(&shown)}</span>
                                    <button
                                        type="button"
                                        class="text-button"
                                        data-testid="ask-again"
                                        on:click=move |_| controller.ask_again(&tool)
                                    >
                                        {i18n::ask_again()}
                                    </button>
                                </li>
                            }
                        }
                    />
                </ul>
            </Show>
        </fieldset>
    }
}

/// A menu of rules. `default` is the entry that means "no rule of its own".
#[component]
fn RuleMenu(
    #[prop(into)] testid: String,
    default: Option<&'static str>,
    chosen: Signal<Option<Rule>>,
    #[prop(into)] on_pick: Callback<Option<Rule>>,
) -> impl IntoView {
    view! {
        <select
            class="field"
            data-testid=testid
            on:change=move |event| on_pick.run(rule(&event_target_value(&event)))
        >
            {move || {
                let chosen = chosen.get();
                let mut rules: Vec<Option<Rule>> = default.map(|_| None).into_iter().collect();
                rules.push(Some(Rule::Always));
                rules.extend(SIZES.map(|size| Some(Rule::Above(size))));
                // A size from elsewhere stays on offer while it is chosen.
                if !rules.contains(&chosen) && chosen != Some(Rule::Never) {
                    rules.push(chosen);
                }
                rules.push(Some(Rule::Never));
                rules
                    .into_iter()
                    .map(|rule| {
                        let name = rule.map_or_else(|| default.unwrap_or_default().to_owned(), i18n::rule_name);
                        let value = rule.map_or_else(|| "default".to_owned(), word);
                        view! { <option value=value selected=rule == chosen>{name}</option> }
                    })
                    .collect_view()
            }}
        </select>
    }
}
