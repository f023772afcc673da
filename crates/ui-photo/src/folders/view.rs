//! What is seen of folders whose photos stay where they are: the line that asks to be let in again, and the full picture of a photo that is not
//! kept here.

use std::collections::BTreeMap;

use leptos::prelude::*;
use leptos::task::spawn_local;
use ui_kit::clock;
use ui_kit::{Rows, memo};
use web_sys::Url;

use super::{Folders, Lack, key_of};
use crate::library::Cell;
use crate::words;

/// How long a photo is looked at before its file is read, in milliseconds.
const LEAFING_MS: u64 = 150;

/// A press that has the browser ask whether we may read in these folders.
fn press(folders: Folders, keys: Vec<String>) {
    spawn_local(async move {
        // What came of it is seen: the line goes, or stays.
        let _is_allowed = folders.ask(keys.iter().map(String::as_str)).await;
    });
}

/// Where the browser does not let us read in folders of these photos: which ones, and the button that asks it to.
#[component]
pub fn Allow(folders: Folders, rows: Rows<Cell>) -> impl IntoView {
    let closed =
        memo(move |_| rows.items.with(|cells| folders.closed(cells.iter().filter(|cell| !cell.in_bin))));
    let told = move || {
        closed.with(|(folders, count)| {
            words::folders_closed(&folders.values().cloned().collect::<Vec<_>>(), *count)
        })
    };
    let ask = move |_| {
        let keys = closed.with_untracked(|(folders, _): &(BTreeMap<String, String>, usize)| {
            folders.keys().cloned().collect()
        });
        press(folders, keys);
    };
    view! {
        <Show when=move || closed.with(|(_, count)| *count > 0)>
            <div class="notice" role="status" data-testid="photo-folders-closed">
                <p dir="auto">{told}</p>
                <button type="button" class="button" data-testid="photo-folders-allow" on:click=ask>
                    {words::allow_again()}
                </button>
            </div>
        </Show>
    }
}

/// The full picture of the photo that is seen large, where its file was left in a folder. Copies are the same.
#[derive(Clone, Copy)]
pub struct Full {
    /// The photo's id and the address of its file in this page.
    picture: RwSignal<Option<(String, String)>>,
    /// Why its file cannot be had.
    lack: RwSignal<Option<Lack>>,
    /// Counts what was asked for: an answer that comes late is another photo's.
    asked: StoredValue<u32>,
}

impl Full {
    /// That of the photo in a cell, read anew for each, and when the browser lets us read again.
    pub fn of(folders: Folders, cell: Memo<Option<Cell>>) -> Self {
        let full =
            Self { picture: RwSignal::new(None), lack: RwSignal::new(None), asked: StoredValue::new(0) };
        // Stars and tags read no file anew.
        let wanted = memo(move |_| {
            cell.with(|cell| {
                let cell = cell.as_ref().filter(|cell| !cell.left_at.is_empty())?;
                // What no browser shows has a small picture in place of a large one.
                let is_shown = cell.large.is_empty() && cell.trouble.is_empty();
                Some((cell.id.clone(), cell.left_at.clone(), is_shown))
            })
        });
        ui_kit::effect(move |_| {
            folders.all.track();
            let wanted = wanted.get();
            full.asked.update_value(|asked| *asked = asked.wrapping_add(1));
            let number = full.asked.get_value();
            let is_another = full
                .picture
                .with_untracked(|seen| seen.as_ref().map(|(id, _)| id) != wanted.as_ref().map(|(id, ..)| id));
            if is_another {
                full.show(None);
                full.say(None);
            }
            let Some((id, place, is_shown)) = wanted else { return };
            spawn_local(async move {
                // Whoever leafs through looks at none of those that are passed: a file is megabytes to read.
                clock::sleep(LEAFING_MS).await;
                if full.asked.try_get_value() != Some(number) {
                    return;
                }
                let file = folders.original(&place, &id).await;
                // Another one is seen by now, or the page is gone.
                if full.asked.try_get_value() != Some(number) {
                    return;
                }
                full.say(file.as_ref().err().copied());
                let address = file.ok().filter(|_| is_shown);
                let address = address.and_then(|file| Url::create_object_url_with_blob(&file).ok());
                full.show(address.map(|address| (id, address)));
            });
        });
        on_cleanup(move || full.let_go());
        full
    }

    /// The address of a photo's file; none before it was read, and for any other photo.
    pub fn address_of(self, id: &str) -> Option<String> {
        self.picture
            .with(|picture| picture.as_ref().filter(|(of, _)| of == id).map(|(_, address)| address.clone()))
    }

    fn say(self, lack: Option<Lack>) {
        if self.lack.try_get_untracked() != Some(lack) {
            self.lack.set(lack);
        }
    }

    fn show(self, picture: Option<(String, String)>) {
        let before = self.picture.get_untracked();
        if before != picture {
            // The picture that stands is drawn: what its address named may go.
            self.picture.set(picture);
            if let Some((_, address)) = before {
                drop(Url::revoke_object_url(&address));
            }
        }
    }

    /// The address of the file goes with the view.
    fn let_go(self) {
        if let Some(Some((_, address))) = self.picture.try_get_untracked() {
            drop(Url::revoke_object_url(&address));
        }
    }
}

/// What the file of the photo that is seen large lacks, and, where the browser only has to allow it, the button for that.
#[component]
pub fn LargeLack(folders: Folders, cell: Memo<Option<Cell>>, full: Full) -> impl IntoView {
    let lack = full.lack;
    let ask = move |_| {
        let key = cell.with_untracked(|cell| Some(key_of(&cell.as_ref()?.left_at)?.to_owned()));
        press(folders, key.into_iter().collect());
    };
    view! {
        <Show when=move || lack.with(Option::is_some)>
            <div class="notice notice-bad" role="status" data-testid="photo-left-lack">
                <p>{move || lack.get().map(Lack::told)}</p>
                <Show when=move || lack.get() == Some(Lack::NotAllowed)>
                    <button type="button" class="button" data-testid="photo-left-allow" on:click=ask>
                        {words::allow_again()}
                    </button>
                </Show>
            </div>
        </Show>
    }
}
