//! Words of the conversation that other parts of the page say too.

pub use crate::i18n::{
    BROWSER_MODEL_MISSING, CLEAR_CHAT, CONVERSATION, CONVERSATIONS, NEW_CHAT, OPEN_TRACE, SETTINGS,
    STORAGE_FULL, THINKING, TOOLS_NOT_THERE, TOOLS_UNREADABLE, UNDONE, compacted_here, did, model_named,
    not_listed, run_file_name, show_all, tokens_in_short, tools_out_of_reach, would,
};
