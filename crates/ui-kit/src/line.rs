//! A line of a change as it is drawn, wherever changes are shown.

use leptos::prelude::*;

use crate::change::Line;
use crate::words;

/// One line of a change.
#[must_use]
pub fn line_view(line: Line) -> AnyView {
    let differences: Vec<_> = line
        .differences
        .into_iter()
        .map(|difference| {
            view! {
                <span class="difference">
                    <span class="difference-name">{difference.name}</span>
                    <del dir="auto">{difference.before}</del>
                    <span class="difference-arrow" aria-label=words::becomes()>"→"</span>
                    <ins dir="auto">{difference.after}</ins>
                </span>
            }
        })
        .collect();
    view! {
        <li class="line" data-kind=line.kind.sign>
            <span class="line-sign" role="img" aria-label=(line.kind.name)()></span>
            <span class="line-title" dir="auto">{line.title}</span>
            {(!line.aside.is_empty()).then(|| view! { <span class="line-aside">{line.aside}</span> })}
            {(!line.notes.is_empty())
                .then(|| view! { <span class="line-aside line-notes" dir="auto">{line.notes}</span> })}
            {differences}
        </li>
    }
    .into_any()
}
