//! The tree as nodes. Text reaches the page as text nodes only; no `innerHTML` anywhere.

use std::ops::Range;
use std::sync::Arc;

use leptos::attr::custom::custom_attribute;
use leptos::prelude::*;

use super::growing::Growing;
use super::links::unsaid_target;
use super::parse::{parse, parse_marked, plain_block};
use super::{Block, Inline, Item, Mark};
use crate::each::Each;
use crate::words;

/// Draws words that have a `[` in them with something among them; provided as a context around a [`Markdown`].
#[derive(Clone, Copy)]
pub struct Words(pub Callback<String, AnyView>);

/// A box of a task list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Task {
    /// Where it is written, in bytes: `[ ]` or `[x]`.
    pub at: usize,
    /// Whether it is ticked.
    pub is_done: bool,
    /// What its item says first.
    pub words: String,
}

/// Draws the boxes of task lists.
pub type Boxes<'a> = &'a dyn Fn(Task) -> AnyView;

/// A text as markdown that does not grow, with boxes that are somebody else's to draw. It is not followed.
#[must_use]
pub fn whole(text: &str, boxes: Boxes<'_>) -> AnyView {
    let block = |(begin, block): (usize, Block)| {
        block_view(block, Some(&|task: Task| boxes(Task { at: begin + task.at, ..task })))
    };
    view! { <div class="md">{parse(text).into_iter().map(block).collect_view()}</div> }.into_any()
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
    let blocks = crate::memo(move |_| {
        let marks = marks.get();
        text.with(|text| {
            if marks.is_empty() {
                return growing.try_update_value(|growing| growing.update(text)).unwrap_or_default();
            }
            parse_marked(text, &marks).into_iter().map(|(_, block)| Arc::new(block)).collect()
        })
    });
    let count = crate::memo(move |_| blocks.with(Vec::len));
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
                    move || block.get().map(|block| block_view(Block::clone(&block), None))
                }
            />
        </div>
    }
}

fn block_view(block: Block, boxes: Option<Boxes<'_>>) -> AnyView {
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
        Block::Quote(blocks) => view! { <blockquote>{block_views(blocks, boxes)}</blockquote> }.into_any(),
        Block::List { start: Some(start), items } => {
            view! { <ol start=start>{item_views(items, boxes)}</ol> }.into_any()
        }
        Block::List { start: None, items } => view! { <ul>{item_views(items, boxes)}</ul> }.into_any(),
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

fn block_views(blocks: Vec<Block>, boxes: Option<Boxes<'_>>) -> Vec<AnyView> {
    blocks.into_iter().map(|block| block_view(block, boxes)).collect()
}

/// A tight item's line stands without a paragraph around it.
fn item_views(items: Vec<Item>, boxes: Option<Boxes<'_>>) -> Vec<AnyView> {
    items
        .into_iter()
        .map(|item| {
            let sign = sign_view(&item, boxes);
            let inner: Vec<AnyView> = item
                .blocks
                .into_iter()
                .map(|block| match block {
                    Block::Paragraph(inlines) => {
                        view! { <span class="md-line" dir="auto">{inline_views(inlines)}</span> }.into_any()
                    }
                    other => block_view(other, boxes),
                })
                .collect();
            match sign {
                None => view! { <li>{inner}</li> }.into_any(),
                Some(sign) => view! { <li class="md-task">{sign}{inner}</li> }.into_any(),
            }
        })
        .collect()
}

/// What stands in front of a task item.
fn sign_view(item: &Item, boxes: Option<Boxes<'_>>) -> Option<AnyView> {
    let is_done = match item.mark {
        Mark::None => return None,
        Mark::Open => false,
        Mark::Done => true,
    };
    if let Some(boxes) = boxes {
        let words = item.blocks.first().map(plain_block).unwrap_or_default();
        return Some(boxes(Task { at: item.at, is_done, words }));
    }
    let label = if is_done { words::task_done() } else { words::task_open() };
    Some(view! { <span class="md-box" class:done=is_done role="img" aria-label=label></span> }.into_any())
}

/// Words, drawn by whoever puts something among them.
fn words_view(text: String) -> AnyView {
    match use_context::<Words>().filter(|_| text.contains('[')) {
        None => text.into_any(),
        Some(Words(draw)) => draw.run(text),
    }
}

fn inline_views(inlines: Vec<Inline>) -> Vec<AnyView> {
    inlines
        .into_iter()
        .map(|inline| match inline {
            Inline::Text(text) => words_view(text),
            Inline::Mark(inner) => {
                view! { <mark class="doubt" title=words::doubted()>{inline_views(inner)}</mark> }.into_any()
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
