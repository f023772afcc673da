//! Pictures that go with the next message (S0-63, D-22): by the button, pasted or dropped, made smaller here before anything else
//! gets them.

use std::sync::Arc;

use leptos::html;
use leptos::prelude::*;
use protocol::Image;
use wasm_bindgen::prelude::Closure;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::{JsFuture, spawn_local};
use web_sys::{
    CanvasRenderingContext2d, DataTransfer, DragEvent, File, FileList, HtmlCanvasElement, ImageBitmap,
};

use crate::i18n;
use crate::icons::Icon;
use crate::settings::Settings;

/// The most pictures of one message.
const MOST: usize = 5;

/// The longest side that is sent, in pixels: providers make larger ones smaller themselves, and charge for the way.
const LONGEST_SIDE: u32 = 1_568;

/// What is sent: every model takes it, and it holds nothing but the picture.
const MEDIA_TYPE: &str = "image/jpeg";
const QUALITY: f64 = 0.85;

/// The pictures, and what is to be said about them. A handle: copies are the same tray.
#[derive(Clone, Copy)]
pub struct Tray {
    /// In the order they came.
    pub held: RwSignal<Vec<Arc<Image>>>,
    /// Why one was not taken.
    pub note: RwSignal<Option<String>>,
    /// How many are being made smaller. A message waits for them: they were put beside this one.
    pub coming: RwSignal<usize>,
    settings: RwSignal<Settings>,
}

impl Tray {
    /// An empty one. What is dropped anywhere on the page falls into it: a browser would leave the page for it.
    #[must_use]
    pub fn new(settings: RwSignal<Settings>) -> Self {
        let tray = Self {
            held: RwSignal::new(Vec::new()),
            note: RwSignal::new(None),
            coming: RwSignal::new(0),
            settings,
        };
        let Some(window) = web_sys::window() else { return tray };
        let over = Closure::<dyn FnMut(DragEvent)>::new(|event: DragEvent| {
            if event.data_transfer().is_some_and(|data| has_files(&data)) {
                event.prevent_default();
            }
        });
        let dropped = Closure::<dyn FnMut(DragEvent)>::new(move |event: DragEvent| {
            if let Some(data) = event.data_transfer().filter(has_files)
                && !event.default_prevented()
            {
                event.prevent_default();
                tray.take(data.files());
            }
        });
        for (name, heard) in [("dragover", &over), ("drop", &dropped)] {
            let _ = window.add_event_listener_with_callback(name, heard.as_ref().unchecked_ref());
        }
        // The page's own listeners: they go when the page goes.
        over.forget();
        dropped.forget();
        tray
    }

    /// Why the chosen model gets no pictures; none where it does.
    #[must_use]
    pub fn refusal(self) -> Option<&'static str> {
        self.settings.with(|settings| match settings {
            settings if settings.senses.no_pictures => Some(i18n::PICTURES_OFF),
            settings if !settings.model.takes_pictures() => Some(i18n::NO_PICTURES_HERE),
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
            self.note.set(Some(i18n::NOT_A_PICTURE.to_owned()));
        }
        // Counted with those that are still on their way from an earlier drop.
        let room = MOST.saturating_sub(self.held.with_untracked(Vec::len) + self.coming.get_untracked());
        if pictures.len() > room {
            self.note.set(Some(i18n::too_many_pictures(MOST)));
        }
        let taken = pictures.len().min(room);
        self.coming.update(|coming| *coming += taken);
        spawn_local(async move {
            for file in pictures.into_iter().take(taken) {
                let made = made_smaller(&file).await;
                self.coming.update(|coming| *coming = coming.saturating_sub(1));
                match made {
                    Ok(image) => self.held.update(|held| held.push(Arc::new(image))),
                    Err(_) => self.note.set(Some(i18n::PICTURE_UNREADABLE.to_owned())),
                }
            }
            // Who was asked to wait can send now.
            let waits = |note: &Option<String>| note.as_deref() == Some(i18n::PICTURES_COMING);
            if self.coming.get_untracked() == 0 && self.note.with_untracked(waits) {
                self.note.set(None);
            }
        });
        true
    }

    /// All of them, as they are sent.
    #[must_use]
    pub fn emptied(self) -> Vec<Arc<Image>> {
        self.note.set(None);
        self.held.try_update(std::mem::take).unwrap_or_default()
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
    let name = Some(file.name()).filter(|name| !name.is_empty()).unwrap_or_else(|| i18n::PICTURE.to_owned());
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
    let is_possible = Memo::new(move |_| tray.refusal().is_none());
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
                    crate::composer::take_focus();
                }
            />
            <button
                type="button"
                class="icon-button"
                data-testid="attach"
                aria-label=i18n::ATTACH
                title=i18n::ATTACH
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
    let is_full = Memo::new(move |_| tray.held.with(|held| !held.is_empty()));
    view! {
        <Show when=move || is_full.get()>
            <ul class="tray" data-testid="tray" aria-label=i18n::PICTURES_HERE>
                {move || {
                    tray.held
                        .get()
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
                                            tray.held.update(|held| drop(held.remove(at)));
                                            tray.note.set(None);
                                            crate::composer::take_focus();
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
            <ul class="shown" aria-label=i18n::PICTURES_SENT>
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
    use super::fitted;

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
