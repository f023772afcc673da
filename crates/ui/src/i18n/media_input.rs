//! The words around the choice of pictures, dictation and answers that are read aloud.

pub const SENSES: &str = "Voice and pictures";
pub const PICTURES: &str = "Attach pictures";
pub const PICTURES_HINT: &str = "For models that take them, by the button, by pasting or by dropping. A picture is made smaller first, and what its file says beside the picture (place, camera) is left out. It is kept with the conversation on this device and sent to the model as it is: hiding personal details cannot look into it.";
pub const DICTATION: &str = "Dictate messages";
pub const DICTATION_HINT: &str = "The browser listens and writes, on this device where it can. Where it cannot, it sends what it hears to its maker: Chrome does.";
pub const NO_DICTATION: &str = "This browser does not write what is said.";
pub const READING: &str = "Read answers aloud";
pub const READING_OFF: &str = "Never";
pub const READING_ASKED: &str = "When I ask";
pub const READING_ALWAYS: &str = "Every new answer";
pub const READING_HINT: &str =
    "By a voice of the browser or the system. Some voices are made elsewhere and get the text.";
pub const NO_READING: &str = "This browser does not read aloud.";
