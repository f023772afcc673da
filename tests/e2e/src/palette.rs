//! The palette of commands and the sheet of keys.

use crate::Page;
use crate::screen::screen;

screen! {
    /// The palette and the sheet of keys.
    Palette {
        button "open-palette"  dialog "palette"  field "palette-field"  entry "palette-entry"
        shortcuts "shortcuts"  single_keys "single-keys"
    }
}

impl<P: Page> Palette<'_, P> {
    /// Opens the palette by its button and types.
    pub async fn look_for(&self, words: &str) {
        self.button().click().await;
        self.field().write(words).await;
    }
}
