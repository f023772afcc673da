//! The tree as nodes. Text reaches the page as text nodes only; no `innerHTML` anywhere.

use std::ops::Range;
use std::sync::Arc;

use leptos::attr::custom::custom_attribute;
use leptos::prelude::*;
use ui_kit::Each;

use super::cite::{Piece, pieces};
use super::growing::Growing;
use super::links::unsaid_target;
use super::parse::parse_marked;
use super::{Block, Inline, Item, Mark};
use crate::i18n;

/// Which calls a text may cite; provided as a context around a [`Markdown`].
#[derive(Clone, Copy)]
pub struct Cited {
    /// Their ids, in the order of their numbers.
    pub calls: Memo<Vec<String>>,
    /// Shows one of them.
    pub show: Callback<String>,
}

/// A text as markdown, growing as the text grows: a block that did not change is not touched, and
/// one that did keeps its nodes, so that a selection survives the stream.
#[component]
pub fn Markdown(
    /// The text so far.
    #[prop(into)]
    text: Signal<String>,
    /// The places to mark, in bytes; there are some only when the text is whole.
    #[prop(optional, into)]
    marks: Signal<Vec<Range<usize>>>,
) -> impl IntoView {
    let growing = StoredValue::new(Growing::default());
    let blocks = ui_kit::memo(move |_| {
        let marks = marks.get();
        text.with(|text| {
            if marks.is_empty() {
                return growing.try_update_value(|growing| growing.update(text)).unwrap_or_default();
            }
            parse_marked(text, &marks).into_iter().map(|(_, block)| Arc::new(block)).collect()
        })
    });
    let count = ui_kit::memo(move |_| blocks.with(Vec::len));
    let is_other = |old: Option<&Option<Arc<Block>>>, new: Option<&Option<Arc<Block>>>| match (old, new) {
        (Some(Some(old)), Some(Some(new))) => !Arc::ptr_eq(old, new),
        _ => true,
    };
    view! {
        <div class="md">
            <Each
                each=move || 0..count.get()
                key=|index| *index
                children=move |index| {
                    let block =
                        Memo::new_with_compare(move |_| blocks.with(|all| all.get(index).cloned()), is_other);
                    move || block.get().map(|block| block_view(Block::clone(&block)))
                }
            />
        </div>
    }
}

fn block_view(block: Block) -> AnyView {
    match block {
        Block::Paragraph(inlines) => view! { <p dir="auto">{inline_views(inlines)}</p> }.into_any(),
        // The page's own headings stand above a message's, so all of its levels are small.
        Block::Heading(level, inlines) => {
            let level = level.clamp(1, 6);
            view! {
                <p
                    class="md-heading"
                    class:md-heading-1={level == 1}
                    role="heading"
                    {..custom_attribute("aria-level", (level + 2).to_string())}
                    dir="auto"
                >
                    {inline_views(inlines)}
                </p>
            }
            .into_any()
        }
        Block::Code { language, text } => view! {
            <figure class="md-code">
                {(!language.is_empty()).then(|| view! { <figcaption>{language}</figcaption> })}
                <pre tabindex="0">
                    <code>{text}</code>
                </pre>
            </figure>
        }
        .into_any(),
        Block::Quote(blocks) => view! { <blockquote>{block_views(blocks)}</blockquote> }.into_any(),
        Block::List { start: Some(start), items } => {
            view! { <ol start=start>{item_views(items)}</ol> }.into_any()
        }
        Block::List { start: None, items } => view! { <ul>{item_views(items)}</ul> }.into_any(),
        Block::Table { head, rows } => view! {
            <div class="md-table" tabindex="0">
                <table>
                    <thead>
                        <tr>
                            {head
                                .into_iter()
                                .map(|cell| view! { <th scope="col">{inline_views(cell)}</th> })
                                .collect_view()}
                        </tr>
                    </thead>
                    <tbody>
                        {rows
                            .into_iter()
                            .map(|row| {
                                view! {
                                    <tr>
                                        {row
                                            .into_iter()
                                            .map(|cell| view! { <td>{inline_views(cell)}</td> })
                                            .collect_view()}
                                    </tr>
                                }
                            })
                            .collect_view()}
                    </tbody>
                </table>
            </div>
        }
        .into_any(),
        Block::Rule => view! { <hr /> }.into_any(),
    }
}

fn block_views(blocks: Vec<Block>) -> Vec<AnyView> {
    blocks.into_iter().map(block_view).collect()
}

/// A tight item's line stands without a paragraph around it.
fn item_views(items: Vec<Item>) -> Vec<AnyView> {
    items
        .into_iter()
        .map(|Item { mark, blocks }| {
            let inner: Vec<AnyView> = blocks
                .into_iter()
                .map(|block| match block {
                    Block::Paragraph(inlines) => {
                        view! { <span class="md-line" dir="auto">{inline_views(inlines)}</span> }.into_any()
                    }
                    other => block_view(other),
                })
                .collect();
            match mark {
                Mark::None => view! { <li>{inner}</li> }.into_any(),
                Mark::Open => {
                    view! { <li class="md-task"><span class="md-box" role="img" aria-label=i18n::TASK_OPEN></span>{inner}</li> }
                        .into_any()
                }
                Mark::Done => {
                    view! { <li class="md-task"><span class="md-box done" role="img" aria-label=i18n::TASK_DONE></span>{inner}</li> }
                        .into_any()
                }
            }
        })
        .collect()
}

/// Words, with a chip for each citation where somebody says which calls there are.
fn words(text: String) -> AnyView {
    let Some(Cited { calls, show }) = use_context::<Cited>().filter(|_| text.contains('[')) else {
        return text.into_any();
    };
    let known = calls.get_untracked();
    let chips = pieces(&text, &known).into_iter().map(|piece| match piece {
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

fn inline_views(inlines: Vec<Inline>) -> Vec<AnyView> {
    inlines
        .into_iter()
        .map(|inline| match inline {
            Inline::Text(text) => words(text),
            Inline::Mark(inner) => {
                view! { <mark class="doubt" title=i18n::DOUBTED>{inline_views(inner)}</mark> }.into_any()
            }
            Inline::Code(text) => view! { <code>{text}</code> }.into_any(),
            Inline::Emphasis(inner) => view! { <em>{inline_views(inner)}</em> }.into_any(),
            Inline::Strong(inner) => view! { <strong>{inline_views(inner)}</strong> }.into_any(),
            Inline::Strike(inner) => view! { <del>{inline_views(inner)}</del> }.into_any(),
            Inline::Link { href, inlines } => {
                let title = href.clone();
                let target = unsaid_target(&href, &inlines);
                view! {
                    <a href=href title=title target="_blank" rel="noopener noreferrer">
                        {inline_views(inlines)}
                    </a>
                    {target.map(|target| view! { <span class="md-target" dir="ltr">" (" {target} ")"</span> })}
                }
                .into_any()
            }
            Inline::Break => view! { <br /> }.into_any(),
        })
        .collect()
}
