//! What of markdown is the conversation's: citations among the words ([`cite_calls`]), and a text as it is heard. Parsed and drawn it is
//! in `ui_kit::markdown`.

mod cite;
mod spoken;

use leptos::prelude::*;
use ui_kit::markdown::Words;

use crate::i18n;
pub use cite::cited;
use cite::{Piece, pieces};
pub use spoken::spoken;
pub use ui_kit::markdown::Markdown;

/// From here on texts cite calls: `calls` are their ids, in the order of their numbers, and `show` shows one of them.
pub fn cite_calls(calls: Memo<Vec<String>>, show: Callback<String>) {
    provide_context(Words(Callback::new(move |text: String| chips(&text, &calls.get_untracked(), show))));
}

/// Words, with a chip for each citation.
fn chips(text: &str, known: &[String], show: Callback<String>) -> AnyView {
    let chips = pieces(text, known).into_iter().map(|piece| match piece {
        Piece::Words(words) => words.into_any(),
        Piece::Cite(place) => {
            let call = known.get(place).cloned().unwrap_or_default();
            view! {
                <button
                    type="button"
                    class="cite"
                    data-testid="citation"
                    aria-label=i18n::cites(place + 1)
                    title=i18n::cites(place + 1)
                    on:click=move |_| show.run(call.clone())
                >
                    {place + 1}
                </button>
            }
            .into_any()
        }
    });
    chips.collect_view().into_any()
}
