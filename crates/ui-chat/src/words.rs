//! Words of the conversation that other parts of the page say too.

pub use crate::i18n::{
    browser_model_missing, clear_chat, compacted_here, conversation, conversations, did, model_named,
    new_chat, not_listed, open_trace, run_file_name, settings, show_all, storage_full, thinking,
    tokens_in_short, tools_not_there, tools_out_of_reach, tools_unreadable, undone, would,
};
