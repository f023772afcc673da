//! The settings of a person's own model: its address, its key, and the passphrase before it.

use crate::screen::screen;

screen! {
    /// A model of the person's own.
    OwnModel {
        url "own-url"  name "own-model"  window "own-window"  preset "own-preset"  names "own-models"  keys_at "own-keys-at"
        key "own-key"  save_key "own-key-save"  remove_key "own-key-remove"  key_state "own-key-state"
        test "own-test"  result "own-test-result"  line "own-test-line"
        set_passphrase "passphrase-set"  passphrase "passphrase-new"  save_passphrase "passphrase-save"
        drop_passphrase "passphrase-drop"
    }
}
