//! The data's section of the settings: what there is, files, copies, deleting everything.

use crate::screen::screen;
use crate::{Element, Page};

screen! {
    /// A person's data.
    Data {
        storage "storage"  counts "storage-counts"  used "storage-used"
        file "import-file"  import "import-state"  would "import-would"  memories "import-memories"  as_own "import-own"
        confirm "import-confirm"  cancel "import-cancel"  undo_import "import-undo"
        copy "copy"  take_copy "copy-take"  restore_copy "copy-restore"  confirm_copy "copy-confirm"
        erase "erase"  sure "erase-sure"  erase_confirm "erase-confirm"
    }
}

impl<'p, P: Page> Data<'p, P> {
    /// What saves a file of this kind.
    pub fn export(&self, format: &str) -> Element<'p, P> {
        Element::of(self.0, &format!("export-{format}"))
    }

    /// Waits until bringing a file in stands like this.
    pub async fn import_is(&self, state: &str) {
        self.import().is("state", state).await;
    }
}
