//! The functions of a catalogue.

use anyhow::{Result, bail};

use crate::{Area, Kind, Message};

/// Words that no function can be called.
const TAKEN: [&str; 22] = [
    "as", "break", "const", "continue", "else", "enum", "false", "fn", "for", "if", "in", "let", "loop",
    "match", "move", "mod", "pub", "return", "true", "type", "use", "while",
];

/// A function for each message of an area, which is called `key` in a translation. `kit` is where their texts are looked up.
pub fn functions(area: &Area, key: &str, kit: &str) -> Result<String> {
    let mut code = String::new();
    for (place, message) in area.messages.iter().enumerate() {
        code += &function(place, message, key, kit)?;
    }
    Ok(code)
}

fn function(place: usize, message: &Message, key: &str, kit: &str) -> Result<String> {
    let name = message.id.replace('-', "_");
    if TAKEN.contains(&&*name) {
        bail!("{name} is a word of Rust: the message needs another name");
    }
    let text = &message.pattern;
    // Without a comment it is what it says.
    let is_mark = |letter: char| letter.is_control() && letter != '\n';
    let says = || format!("“{}”", text.replace(is_mark, " ").replace('\n', " "));
    let doc = if message.doc.is_empty() { says() } else { message.doc.clone() };
    let doc: String = doc.lines().map(|line| format!("/// {line}\n")).collect();
    if message.variables.is_empty() {
        return Ok(format!(
            "{doc}#[must_use]\npub fn {name}() -> &'static str {{\n    {kit}::word({key:?}, {place}, {text:?})\n}}\n\n"
        ));
    }
    let (mut takes, mut gives) = (Vec::new(), Vec::new());
    for variable in &message.variables {
        let called = variable.name.replace('-', "_");
        let (takes_one, gives_one) = match variable.kind {
            Kind::Text => ("&str", "Text"),
            Kind::Number => ("usize", "Count"),
        };
        takes.push(format!("{called}: {takes_one}"));
        gives.push(format!("{kit}::Said::{gives_one}({called})"));
    }
    let (takes, gives) = (takes.join(", "), gives.join(", "));
    Ok(format!(
        "{doc}#[must_use]\npub fn {name}({takes}) -> String {{\n    {kit}::text({key:?}, {place}, {text:?}, &[{gives}])\n}}\n\n"
    ))
}
