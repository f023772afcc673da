//! A message's text as a page reads it: one string with marks for what is put in, so that nothing has to be parsed there.
//!
//! `\u{1}` and a letter is something said: `a` and on for the variables in their order, `A`, `O`, `M` for the app and its things.
//! `\u{2}` and a variable's letter is a choice: each variant `\u{3}key\u{4}text`, the default one last and without a key, and
//! `\u{5}` at the end.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::{Result, bail};
use fluent_syntax::ast::{Expression, InlineExpression, Pattern, PatternElement, Variant, VariantKey};
use fluent_syntax::unicode::unescape_unicode_to_string;

/// What a variable is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Words.
    Text,
    /// A count: written as the language writes numbers, and what a plural form is chosen by.
    Number,
}

/// Something that is said in a message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variable {
    /// What it is called, without its sign.
    pub name: String,
    /// What it is.
    pub kind: Kind,
}

/// The most variables of a message: each is a letter.
const MOST: usize = 26;

/// Reads the texts of one message.
pub struct Reader {
    /// Those there are so far.
    pub variables: Vec<Variable>,
    /// No others are taken.
    is_translation: bool,
}

impl Reader {
    /// Of a translation of a message with these.
    pub fn of(variables: Vec<Variable>) -> Self {
        Self { variables, is_translation: true }
    }

    /// Of a message whose comment may describe them, a line each: `$count (Number) - how many`.
    pub fn described_by(doc: &str) -> Self {
        let described = doc.lines().filter_map(|line| {
            let (name, rest) = line.trim().strip_prefix('$')?.split_once([' ', ':'])?;
            let kind = if rest.trim_start().starts_with("(Number)") { Kind::Number } else { Kind::Text };
            Some(Variable { name: name.to_owned(), kind })
        });
        Self { variables: described.collect(), is_translation: false }
    }

    /// The text of a pattern.
    pub fn pattern(&mut self, pattern: &Pattern<&str>) -> Result<String> {
        let mut text = String::new();
        for element in &pattern.elements {
            match element {
                PatternElement::TextElement { value } => text += value,
                PatternElement::Placeable { expression } => text += &self.expression(expression)?,
            }
        }
        Ok(text)
    }

    fn expression(&mut self, expression: &Expression<&str>) -> Result<String> {
        match expression {
            Expression::Inline(inline) => self.inline(inline),
            Expression::Select { selector, variants } => self.choice(selector, variants),
        }
    }

    fn inline(&mut self, inline: &InlineExpression<&str>) -> Result<String> {
        match inline {
            InlineExpression::StringLiteral { value } => Ok(unescape_unicode_to_string(value).into_owned()),
            InlineExpression::VariableReference { id } => Ok(format!("\u{1}{}", self.letter(id.name, None)?)),
            InlineExpression::TermReference { id, .. } => match id.name {
                "app" => Ok("\u{1}A".to_owned()),
                "one" => Ok("\u{1}O".to_owned()),
                "many" => Ok("\u{1}M".to_owned()),
                other => bail!("there is no term -{other}: there are -app, -one and -many"),
            },
            InlineExpression::Placeable { expression } => self.expression(expression),
            _ => bail!("only text, variables, choices and terms are taken"),
        }
    }

    fn choice(&mut self, selector: &InlineExpression<&str>, variants: &[Variant<&str>]) -> Result<String> {
        let InlineExpression::VariableReference { id } = selector else {
            bail!("a choice is by a variable");
        };
        let is_count = |variant: &Variant<&str>| match variant.key {
            VariantKey::NumberLiteral { .. } => true,
            VariantKey::Identifier { name } => matches!(name, "zero" | "one" | "two" | "few" | "many"),
        };
        let kind = if variants.iter().any(is_count) { Kind::Number } else { Kind::Text };
        let mut text = format!("\u{2}{}", self.letter(id.name, Some(kind))?);
        for variant in variants.iter().filter(|variant| !variant.default) {
            let (VariantKey::Identifier { name: key } | VariantKey::NumberLiteral { value: key }) =
                variant.key;
            text += &format!("\u{3}{key}\u{4}{}", self.pattern(&variant.value)?);
        }
        for default in variants.iter().filter(|variant| variant.default) {
            text += &format!("\u{3}\u{4}{}", self.pattern(&default.value)?);
        }
        Ok(text + "\u{5}")
    }

    /// The letter of a variable, which is a number where it is asked for as one.
    fn letter(&mut self, name: &str, kind: Option<Kind>) -> Result<char> {
        let place = self.variables.iter().position(|variable| variable.name == name);
        let place = match place {
            Some(place) => place,
            None if self.is_translation => bail!("${name} is not there in the first language"),
            None => {
                self.variables.push(Variable { name: name.to_owned(), kind: Kind::Text });
                self.variables.len() - 1
            }
        };
        if kind == Some(Kind::Number) {
            if self.is_translation && self.variables[place].kind != Kind::Number {
                bail!("${name} is no number in the first language");
            }
            self.variables[place].kind = Kind::Number;
        }
        if place >= MOST {
            bail!("more than {MOST} variables");
        }
        Ok((b'a' + place as u8) as char)
    }
}

/// What a text makes of the variables of its message.
#[derive(Debug, Default)]
struct Uses {
    /// Those that are said, or chosen by.
    variables: BTreeSet<char>,
    /// The keys of the choices by a variable, all of them together, without the default one's.
    keys: BTreeMap<char, BTreeSet<String>>,
}

impl Uses {
    fn of(pattern: &str) -> Self {
        let (mut uses, mut open, mut letters) = (Self::default(), Vec::new(), pattern.chars());
        while let Some(letter) = letters.next() {
            match letter {
                '\u{1}' => uses.variables.extend(letters.next().filter(char::is_ascii_lowercase)),
                '\u{2}' => {
                    let by = letters.next().unwrap_or_default();
                    uses.variables.insert(by);
                    open.push(by);
                }
                '\u{3}' => {
                    let key: String = letters.by_ref().take_while(|letter| *letter != '\u{4}').collect();
                    if let Some(by) = open.last().filter(|_| !key.is_empty()) {
                        uses.keys.entry(*by).or_default().insert(key);
                    }
                }
                '\u{5}' => drop(open.pop()),
                _ => {}
            }
        }
        uses
    }
}

/// Holds a translation of a text against it: it leaves no variable out, and where it chooses by a word, it knows the same words.
/// Forms of the plural are each language's own.
///
/// # Errors
/// What it lacks, or has too much.
pub fn compare(first: &str, translation: &str, variables: &[Variable]) -> Result<()> {
    let (first, translation) = (Uses::of(first), Uses::of(translation));
    for (letter, variable) in ('a'..='z').zip(variables) {
        let name = &variable.name;
        if first.variables.contains(&letter) && !translation.variables.contains(&letter) {
            bail!("${name} is left out");
        }
        let (known, there) = (first.keys.get(&letter), translation.keys.get(&letter));
        if variable.kind == Kind::Text && there.is_some() && there != known {
            bail!("the choice by ${name} has other words than in the first language");
        }
    }
    Ok(())
}

/// A text in letters of no language, a third longer, for tests that look for words that are in no catalogue. What is said in it
/// stands outside of its brackets.
#[must_use]
pub fn pseudo(pattern: &str) -> String {
    let (mut text, mut is_kept, mut is_key, mut is_mark) = ("⟦".to_owned(), false, false, false);
    for letter in pattern.chars() {
        match letter {
            '\u{3}' => is_key = true,
            '\u{4}' => is_key = false,
            _ => {}
        }
        let is_said = is_mark && letter.is_ascii_lowercase();
        if is_said {
            // The brackets close before the mark.
            text.pop();
            text.push_str("⟧\u{1}");
        }
        is_mark = letter == '\u{1}';
        let other = match letter {
            _ if is_kept || is_key => letter,
            'a' => 'å',
            'e' => 'é',
            'i' => 'ï',
            'o' => 'ö',
            'u' => 'û',
            'n' => 'ñ',
            'c' => 'ç',
            's' => 'š',
            'A' => 'Å',
            'E' => 'É',
            'O' => 'Ö',
            'S' => 'Š',
            'N' => 'Ñ',
            _ => letter,
        };
        is_kept = matches!(letter, '\u{1}' | '\u{2}');
        text.push(other);
        if is_said {
            text.push('⟦');
        }
    }
    text + "⟧"
}
