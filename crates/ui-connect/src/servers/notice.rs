//! Across the page: a server says something else about tools that are in use.

use leptos::prelude::*;

use crate::i18n;
use crate::icons::Icon;
use crate::servers::Servers;
use crate::settings::Section;

/// The notice; nothing while nothing changed.
#[component]
pub fn ServersNotice() -> impl IntoView {
    let (servers, settings_at) = (Servers::get(), Section::opened());
    let dismiss = move || servers.changed.set(Vec::new());
    // Always there, so that what appears in it is said.
    view! {
        <div class="servers-changed-place" role="status">
            {move || {
                let names = servers.changed.get();
                (!names.is_empty())
                    .then(|| {
                        view! {
                            <div class="servers-changed" data-testid="servers-changed">
                                {Icon::Warning.draw()}
                                <p dir="auto">{i18n::servers_changed(&names.join(", "))}</p>
                                <div class="button-row">
                                    <button
                                        type="button"
                                        class="button"
                                        data-testid="servers-look"
                                        on:click=move |_| {
                                            dismiss();
                                            settings_at.set(Some(Section::Servers));
                                        }
                                    >
                                        {i18n::servers_look()}
                                    </button>
                                    <button
                                        type="button"
                                        class="text-button"
                                        data-testid="servers-later"
                                        on:click=move |_| dismiss()
                                    >
                                        {i18n::servers_later()}
                                    </button>
                                </div>
                            </div>
                        }
                    })
            }}
        </div>
    }
}
