//! Pictures that go with the next message (S0-63, D-22): by the button, pasted or dropped, made smaller here before anything else
//! gets them.

use std::sync::Arc;

use leptos::html;
use leptos::prelude::*;
use litemap::LiteMap;
use protocol::Image;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::{JsFuture, spawn_local};
use web_sys::{
    CanvasRenderingContext2d, DataTransfer, DragEvent, File, FileList, HtmlCanvasElement, ImageBitmap,
};

use crate::i18n;
use crate::icons::Icon;
use crate::settings::Settings;
use web::listener::on_window;

/// The most pictures of one message.
const MOST: usize = 5;

/// The longest side that is sent, in pixels: providers make larger ones smaller themselves, and charge for the way.
const LONGEST_SIDE: u32 = 1_568;

/// What is sent: every model takes it, and it holds nothing but the picture.
const MEDIA_TYPE: &str = "image/jpeg";
const QUALITY: f64 = 0.85;

/// The pictures of one conversation's next message.
#[derive(Clone, Debug, Default, PartialEq)]
struct Pile {
    /// In the order they came.
    held: Vec<Arc<Image>>,
    /// How many are being made smaller.
    coming: usize,
    /// One could not be read, and nobody was here to be told.
    lost_one: bool,
}

/// All of them. What was put beside a message stays in its conversation, also while it is being made smaller and another one
/// is looked at.
#[derive(Clone, Debug, Default)]
struct Piles {
    /// The conversation on the screen; empty before the first is known.
    shown: String,
    /// The first that was: what was put beside a message before it was known is beside its message.
    first: String,
    all: LiteMap<String, Pile>,
    /// Those of conversations that this tab deleted: they come back with them.
    aside: LiteMap<String, Pile>,
}

impl Piles {
    fn here(&self) -> Option<&Pile> {
        self.all.get(&self.shown)
    }

    /// Makes room for so many more beside the message on the screen, or for as many as there may be. Those that are still on
    /// their way from an earlier drop count.
    fn expect(&mut self, wanted: usize) -> usize {
        let pile = self.all.entry(self.shown.clone()).or_default();
        let taken = wanted.min(MOST.saturating_sub(pile.held.len() + pile.coming));
        pile.coming += taken;
        taken
    }

    /// Whether what was put into a conversation is beside the message on the screen.
    fn is_shown(&self, conversation: &str) -> bool {
        self.shown == self.known_as(conversation)
    }

    fn known_as<'a>(&'a self, conversation: &'a str) -> &'a str {
        if conversation.is_empty() { &self.first } else { conversation }
    }

    /// One that was expected in a conversation is there, or could not be read. Where the conversation is gone, so is it.
    fn arrived(&mut self, conversation: &str, made: Option<Image>) {
        let conversation = self.known_as(conversation).to_owned();
        let is_shown = self.shown == conversation;
        let Some(pile) = self.all.get_mut(&conversation) else { return };
        pile.coming = pile.coming.saturating_sub(1);
        match made {
            Some(image) => pile.held.push(Arc::new(image)),
            None => pile.lost_one |= !is_shown,
        }
    }

    /// A conversation was deleted. What is still being made smaller for it arrives nowhere, so nothing waits for that.
    fn put_aside(&mut self, conversation: &str) {
        if let Some(pile) = self.all.remove(conversation).filter(|pile| !pile.held.is_empty()) {
            self.aside.insert(conversation.to_owned(), Pile { held: pile.held, ..Pile::default() });
        }
    }

    /// These conversations are there. Those that were put aside and are among them have theirs back.
    fn bring_back<'a>(&mut self, there: impl Iterator<Item = &'a str>) {
        for conversation in there {
            if let Some(pile) = self.aside.remove(conversation) {
                self.all.insert(conversation.to_owned(), pile);
            }
        }
    }

    /// Another conversation is on the screen. Whether one of its pictures could not be read meanwhile.
    fn turn_to(&mut self, conversation: &str) -> bool {
        if self.first.is_empty() {
            conversation.clone_into(&mut self.first);
            if let Some(early) = self.all.remove("") {
                self.all.insert(conversation.to_owned(), early);
            }
        }
        conversation.clone_into(&mut self.shown);
        self.all.retain(|_, pile| *pile != Pile::default());
        self.all.get_mut(conversation).is_some_and(|pile| std::mem::take(&mut pile.lost_one))
    }
}

/// The pictures, and what is to be said about them. A handle: copies are the same tray.
#[derive(Clone, Copy)]
pub struct Tray {
    piles: RwSignal<Piles>,
    /// Why one was not taken.
    pub note: RwSignal<Option<String>>,
    settings: RwSignal<Settings>,
}

impl Tray {
    /// An empty one. What is dropped anywhere on the page falls into it: a browser would leave the page for it.
    #[must_use]
    pub fn new(settings: RwSignal<Settings>) -> Self {
        let tray = Self { piles: RwSignal::default(), note: RwSignal::new(None), settings };
        on_window("dragover", |event: DragEvent| {
            if event.data_transfer().is_some_and(|data| has_files(&data)) {
                event.prevent_default();
            }
        });
        on_window("drop", move |event: DragEvent| {
            if let Some(data) = event.data_transfer().filter(has_files)
                && !event.default_prevented()
            {
                event.prevent_default();
                tray.take(data.files());
            }
        });
        tray
    }

    /// Why the chosen model gets no pictures; none where it does.
    #[must_use]
    pub fn refusal(self) -> Option<&'static str> {
        self.settings.with(|settings| match settings {
            settings if settings.senses.no_pictures => Some(i18n::pictures_off()),
            settings if !settings.model.takes_pictures() => Some(i18n::no_pictures_here()),
            _ => None,
        })
    }

    /// Takes what of these files are pictures. True when there were any files.
    pub fn take(self, files: Option<FileList>) -> bool {
        let files: Vec<File> =
            files.iter().flat_map(|files| (0..files.length()).filter_map(|at| files.get(at))).collect();
        if files.is_empty() {
            return false;
        }
        self.note.set(None);
        let (pictures, others): (Vec<File>, Vec<File>) =
            files.into_iter().partition(|file| file.type_().starts_with("image/"));
        if let Some(why) = untrack(|| self.refusal()).filter(|_| !pictures.is_empty()) {
            self.note.set(Some(why.to_owned()));
            return true;
        }
        if !others.is_empty() {
            self.note.set(Some(i18n::not_a_picture().to_owned()));
        }
        let wanted = pictures.len();
        let taken = self.piles.try_update(|piles| piles.expect(wanted)).unwrap_or_default();
        if wanted > taken {
            self.note.set(Some(i18n::too_many_pictures(MOST)));
        }
        let conversation = self.piles.with_untracked(|piles| piles.shown.clone());
        spawn_local(async move {
            for file in pictures.into_iter().take(taken) {
                let made = made_smaller(&file).await.ok();
                let is_shown = self.piles.with_untracked(|piles| piles.is_shown(&conversation));
                if made.is_none() && is_shown {
                    self.note.set(Some(i18n::picture_unreadable().to_owned()));
                }
                self.piles.update(|piles| piles.arrived(&conversation, made));
            }
            // Who was asked to wait can send now.
            let waits = |note: &Option<String>| note.as_deref() == Some(i18n::pictures_coming());
            if !self.has_more_coming() && self.note.with_untracked(waits) {
                self.note.set(None);
            }
        });
        true
    }

    /// What is beside the message on the screen.
    #[must_use]
    pub fn held(self) -> Vec<Arc<Image>> {
        self.piles.with(|piles| piles.here().map(|pile| pile.held.clone()).unwrap_or_default())
    }

    /// Whether nothing is beside it.
    #[must_use]
    pub fn is_empty(self) -> bool {
        self.piles.with(|piles| piles.here().is_none_or(|pile| pile.held.is_empty()))
    }

    /// Whether something is still being made smaller for it. The message waits for that: it was put beside this one.
    #[must_use]
    pub fn has_more_coming(self) -> bool {
        self.piles.with_untracked(|piles| piles.here().is_some_and(|pile| pile.coming > 0))
    }

    /// Another conversation is on the screen, with what is beside its message.
    pub fn turn_to(self, conversation: &str) {
        let lost_one = self.piles.try_update(|piles| piles.turn_to(conversation)).unwrap_or_default();
        self.note.set(lost_one.then(|| i18n::picture_unreadable().to_owned()));
    }

    /// A conversation was deleted here, and what was beside its next message goes with it.
    pub fn put_aside(self, conversation: &str) {
        self.piles.update(|piles| piles.put_aside(conversation));
    }

    /// These conversations are there: one that was deleted and is among them has what was beside its message again.
    pub fn bring_back<'a>(self, there: impl Iterator<Item = &'a str>) {
        if self.piles.with_untracked(|piles| !piles.aside.is_empty()) {
            self.piles.update(|piles| piles.bring_back(there));
        }
    }

    /// The message on the screen was sent, with all of them.
    pub fn was_sent(self) {
        self.note.set(None);
        self.piles.update(|piles| {
            let shown = piles.shown.clone();
            piles.all.remove(&shown);
        });
    }

    fn remove(self, at: usize) {
        self.note.set(None);
        self.piles.update(|piles| {
            let shown = piles.shown.clone();
            if let Some(pile) = piles.all.get_mut(&shown).filter(|pile| at < pile.held.len()) {
                pile.held.remove(at);
            }
        });
    }
}

fn has_files(data: &DataTransfer) -> bool {
    data.types().includes(&JsValue::from_str("Files"), 0)
}

/// A file's picture as it is sent, upright.
async fn made_smaller(file: &File) -> Result<Image, JsValue> {
    let window = web_sys::window().ok_or(JsValue::UNDEFINED)?;
    let bitmap = JsFuture::from(window.create_image_bitmap_with_blob(file)?).await?;
    let bitmap: ImageBitmap = bitmap.dyn_into()?;
    let (width, height) = fitted(bitmap.width(), bitmap.height());
    let canvas = window.document().ok_or(JsValue::UNDEFINED)?.create_element("canvas")?;
    let canvas: HtmlCanvasElement = canvas.dyn_into().map_err(JsValue::from)?;
    canvas.set_width(width);
    canvas.set_height(height);
    let context = canvas.get_context("2d")?.ok_or(JsValue::UNDEFINED)?;
    let context: CanvasRenderingContext2d = context.dyn_into().map_err(JsValue::from)?;
    let (across, down) = (f64::from(width), f64::from(height));
    // What can be seen through in the file is paper in the picture.
    context.set_fill_style_str("#fff");
    context.fill_rect(0.0, 0.0, across, down);
    context.draw_image_with_image_bitmap_and_dw_and_dh(&bitmap, 0.0, 0.0, across, down)?;
    bitmap.close();
    let url = canvas.to_data_url_with_type_and_encoder_options(MEDIA_TYPE, &QUALITY.into())?;
    let data = url.strip_prefix("data:image/jpeg;base64,").ok_or(JsValue::UNDEFINED)?.to_owned();
    let name =
        Some(file.name()).filter(|name| !name.is_empty()).unwrap_or_else(|| i18n::picture().to_owned());
    Ok(Image { name, media_type: MEDIA_TYPE.to_owned(), data, width, height })
}

/// A size of the same shape within [`LONGEST_SIDE`].
fn fitted(width: u32, height: u32) -> (u32, u32) {
    let longest = width.max(height).max(1);
    let side = |side: u32| match longest > LONGEST_SIDE {
        // Below a billion in all: no browser has larger ones.
        true => u32::try_from(u64::from(side) * u64::from(LONGEST_SIDE) / u64::from(longest)).unwrap_or(side),
        false => side,
    };
    (side(width).max(1), side(height).max(1))
}

/// The button that attaches pictures; not there where the model takes none.
#[component]
pub fn AttachButton(
    /// Where they go.
    tray: Tray,
) -> impl IntoView {
    let field = NodeRef::<html::Input>::new();
    let is_possible = ui_kit::memo(move |_| tray.refusal().is_none());
    view! {
        <Show when=move || is_possible.get()>
            <input
                node_ref=field
                type="file"
                accept="image/*"
                multiple
                hidden
                data-testid="attach-file"
                on:change=move |_| {
                    if let Some(field) = field.get_untracked() {
                        tray.take(field.files());
                        // The same file can be chosen again.
                        field.set_value("");
                    }
                    crate::message_field::take_focus();
                }
            />
            <button
                type="button"
                class="icon-button"
                data-testid="attach"
                aria-label=i18n::attach()
                title=i18n::attach()
                on:click=move |_| {
                    if let Some(field) = field.get_untracked() {
                        field.click();
                    }
                }
            >
                {Icon::Picture.draw()}
            </button>
        </Show>
    }
}

/// What will go with the message, above its field.
#[component]
pub fn TrayView(
    /// The tray.
    tray: Tray,
) -> impl IntoView {
    let is_full = ui_kit::memo(move |_| !tray.is_empty());
    view! {
        <Show when=move || is_full.get()>
            <ul class="tray" data-testid="tray" aria-label=i18n::pictures_here()>
                {move || {
                    tray.held()
                        .into_iter()
                        .enumerate()
                        .map(|(at, image)| {
                            let words = i18n::picture_remove(&image.name);
                            view! {
                                <li>
                                    <img src=image.data_url() alt=image.name.clone() />
                                    <button
                                        type="button"
                                        class="tray-remove"
                                        data-testid="picture-remove"
                                        aria-label=words.clone()
                                        title=words
                                        on:click=move |_| {
                                            tray.remove(at);
                                            crate::message_field::take_focus();
                                        }
                                    >
                                        {Icon::Close.draw()}
                                    </button>
                                </li>
                            }
                        })
                        .collect_view()
                }}
            </ul>
        </Show>
        <p class="composer-note" role="alert" data-testid="composer-note">
            {tray.note}
        </p>
    }
}

/// The pictures of a message that was sent.
#[component]
pub fn Shown(
    /// The pictures.
    images: Vec<Arc<Image>>,
) -> impl IntoView {
    (!images.is_empty()).then(|| {
        view! {
            <ul class="shown" aria-label=i18n::pictures_sent()>
                {images
                    .into_iter()
                    .map(|image| {
                        view! {
                            <li>
                                <img
                                    data-testid="picture"
                                    src=image.data_url()
                                    alt=image.name.clone()
                                    width=image.width
                                    height=image.height
                                    decoding="async"
                                />
                            </li>
                        }
                    })
                    .collect_view()}
            </ul>
        }
    })
}

#[cfg(test)]
mod tests {
    use protocol::Image;

    use super::{MOST, Piles, fitted};

    fn picture(name: &str) -> Option<Image> {
        let (name, media_type) = (name.to_owned(), String::new());
        Some(Image { name, media_type, data: String::new(), width: 1, height: 1 })
    }

    fn names(piles: &Piles) -> Vec<&str> {
        piles.here().iter().flat_map(|pile| &pile.held).map(|image| image.name.as_str()).collect()
    }

    #[test]
    fn a_picture_stays_in_the_conversation_it_was_put_into() {
        let mut piles = Piles::default();
        piles.turn_to("a");
        assert_eq!(piles.expect(2), 2);
        piles.arrived("a", picture("roof"));
        // The person looks at another conversation while the second is made smaller.
        piles.turn_to("b");
        piles.arrived("a", picture("door"));
        assert_eq!(names(&piles), [""; 0]);
        assert_eq!(piles.expect(MOST + 1), MOST, "what is in the other one takes no room here");
        piles.turn_to("a");
        assert_eq!(names(&piles), ["roof", "door"]);
        assert_eq!(piles.expect(MOST), MOST - 2);
    }

    #[test]
    fn what_is_dropped_before_a_conversation_is_known_is_in_the_first() {
        let mut piles = Piles::default();
        assert_eq!(piles.expect(3), 3);
        piles.arrived("", picture("roof"));
        assert_eq!(names(&piles), ["roof"]);
        piles.turn_to("a");
        assert_eq!(names(&piles), ["roof"]);
        assert!(piles.is_shown(""));
        // Made smaller only now, and after another conversation came on the screen.
        piles.arrived("", picture("door"));
        piles.turn_to("b");
        piles.arrived("", picture("wall"));
        assert_eq!(names(&piles), [""; 0]);
        assert!(!piles.is_shown(""));
        piles.turn_to("a");
        assert_eq!(names(&piles), ["roof", "door", "wall"]);
        assert_eq!(piles.expect(MOST), MOST - 3, "nothing is waited for any more");
    }

    #[test]
    fn one_that_could_not_be_read_is_told_of_where_it_was_put() {
        let mut piles = Piles::default();
        piles.turn_to("a");
        piles.expect(1);
        assert!(!piles.turn_to("b"));
        piles.arrived("a", None);
        assert!(piles.turn_to("a"));
        assert!(!piles.turn_to("a"), "once");
        // The conversation was deleted, or the message was sent: nothing comes back.
        piles.expect(1);
        piles.all.remove("a");
        piles.arrived("a", picture("late"));
        assert_eq!(names(&piles), [""; 0]);
    }

    #[test]
    fn a_deleted_conversation_comes_back_with_its_pictures() {
        let mut piles = Piles::default();
        piles.turn_to("a");
        piles.expect(2);
        piles.arrived("a", picture("roof"));
        piles.put_aside("a");
        piles.arrived("a", picture("late"));
        assert_eq!(names(&piles), [""; 0]);
        piles.turn_to("b");
        piles.bring_back(["b"].into_iter());
        piles.bring_back(["a", "b"].into_iter());
        piles.turn_to("a");
        assert_eq!(names(&piles), ["roof"]);
        assert_eq!(piles.expect(MOST), MOST - 1, "what was on its way is not waited for");
    }

    #[test]
    fn pictures_keep_their_shape() {
        // Size, what is sent of it.
        let rows = [
            ((4_000, 3_000), (1_568, 1_176)),
            ((3_000, 4_000), (1_176, 1_568)),
            ((800, 600), (800, 600)),
            ((1_568, 1), (1_568, 1)),
            ((100_000, 3), (1_568, 1)),
            ((0, 0), (1, 1)),
        ];
        for ((width, height), expected) in rows {
            assert_eq!(fitted(width, height), expected, "{width} × {height}");
        }
    }
}
