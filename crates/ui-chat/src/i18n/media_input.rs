//! The words around pictures, dictation and answers that are read aloud.

pub const ATTACH: &str = "Attach pictures";
pub const PICTURES_COMING: &str = "A picture is still being prepared. Send again in a moment.";
pub const PICTURES_HERE: &str = "Pictures to send";
pub const PICTURES_SENT: &str = "Pictures";
pub const NOT_A_PICTURE: &str = "Only pictures can be attached here.";
pub const PICTURE_UNREADABLE: &str = "The browser cannot read this picture. Try a JPEG, PNG or WebP.";
pub const NO_PICTURES_HERE: &str =
    "This model cannot see pictures. Choose another one in the settings, or send the text alone.";
pub const PICTURES_OFF: &str = "Pictures are switched off in the settings.";
pub const PICTURES_CANNOT_WAIT: &str =
    "A message with pictures cannot wait for the network. Send it once the model can be reached.";
pub const PICTURE: &str = "Picture";

pub const DICTATE: &str = "Dictate";
pub const DICTATE_STOP: &str = "Stop dictating";
pub const LISTENING: &str = "Listening. Speak now.";
pub const NOT_HEARD: &str = "Nothing was heard. Try again, closer to the microphone.";
pub const NO_MICROPHONE: &str =
    "The page may not use the microphone. Allow it beside the address, and try again.";
pub const NO_LISTENING: &str = "The browser could not listen. Some need a network for it.";
pub const READ_ALOUD: &str = "Read aloud";
pub const READ_STOP: &str = "Stop reading";

/// The button that takes a picture out again.
#[must_use]
pub fn picture_remove(name: &str) -> String {
    format!("Leave out {name}")
}

/// More than a message takes.
#[must_use]
pub fn too_many_pictures(most: usize) -> String {
    format!("A message takes at most {most} pictures.")
}
