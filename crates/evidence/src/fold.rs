//! Words as they are compared: without case, accents, punctuation and, where that is wanted, without plural.
//!
//! A folded text is its words with one space between them and one at each end, so that a search for `" two
//! words "` finds whole words only. The table of accents is our own: the Unicode one would cost the page more
//! than the rest of this module.

/// What no word holds: it keeps the end of one field from running into the next.
pub(super) const BREAK: char = '\u{1}';

/// The folded text.
pub(super) fn fold(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push(' ');
    for c in text.chars() {
        if is_joiner(c) {
            continue;
        }
        if c == BREAK {
            space(&mut out);
            out.push(BREAK);
            space(&mut out);
        } else if stands_alone(c) {
            space(&mut out);
            out.push(c);
            space(&mut out);
        } else if c.is_alphanumeric() {
            for lower in c.to_lowercase() {
                push_plain(&mut out, lower);
            }
        } else {
            space(&mut out);
        }
    }
    space(&mut out);
    out
}

/// The folded text without plurals.
pub(super) fn stems(folded: &str) -> String {
    let mut out = String::with_capacity(folded.len());
    out.push(' ');
    for word in folded.split_whitespace() {
        out.push_str(stem(word));
        out.push(' ');
    }
    out
}

/// A folded word without its plural.
pub(super) fn stem(word: &str) -> &str {
    match word.strip_suffix('s') {
        Some(one) if one.len() > 2 && !one.ends_with('s') => one,
        _ => word,
    }
}

/// One word, folded and without plural.
pub(super) fn key(word: &str) -> String {
    stem(fold(word).trim()).to_owned()
}

fn space(out: &mut String) {
    if !out.ends_with(' ') {
        out.push(' ');
    }
}

/// Apostrophes and combining accents are no part of what is compared.
fn is_joiner(c: char) -> bool {
    matches!(c, '\'' | '’' | 'ʼ' | '\u{ad}' | '\u{200b}'..='\u{200d}' | '\u{2060}' | '\u{300}'..='\u{36f}')
}

/// Scripts without spaces: each sign is a word of its own.
pub(super) fn stands_alone(c: char) -> bool {
    matches!(c, '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}' | '\u{ac00}'..='\u{d7af}' | '\u{20000}'..='\u{323af}')
}

/// Adds a letter without its accent.
fn push_plain(out: &mut String, c: char) {
    let plain = match c {
        'à'..='å' | 'ā' | 'ă' | 'ą' | 'æ' => 'a',
        'ç' | 'ć' | 'ĉ' | 'ċ' | 'č' => 'c',
        'ď' | 'đ' | 'ð' => 'd',
        'è'..='ë' | 'ē' | 'ĕ' | 'ė' | 'ę' | 'ě' => 'e',
        'ĝ' | 'ğ' | 'ġ' | 'ģ' => 'g',
        'ì'..='ï' | 'ĩ' | 'ī' | 'ĭ' | 'į' | 'ı' => 'i',
        'ł' | 'ĺ' | 'ļ' | 'ľ' => 'l',
        'ñ' | 'ń' | 'ņ' | 'ň' => 'n',
        'ò'..='ö' | 'ø' | 'ō' | 'ŏ' | 'ő' | 'œ' => 'o',
        'ŕ' | 'ŗ' | 'ř' => 'r',
        'ś' | 'ŝ' | 'ş' | 'š' | 'ș' => 's',
        'ţ' | 'ť' | 'ț' => 't',
        'ù'..='ü' | 'ũ' | 'ū' | 'ŭ' | 'ů' | 'ű' | 'ų' => 'u',
        'ý' | 'ÿ' => 'y',
        'ź' | 'ż' | 'ž' => 'z',
        'ß' => {
            out.push('s');
            's'
        }
        other => other,
    };
    out.push(plain);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_looks_the_same_to_a_person_folds_to_the_same() {
        let same = [
            ("Königssee", "konigssee"),
            ("Casa do Príncipe", "CASA DO PRINCIPE"),
            ("Sainsbury’s", "Sainsbury's"),
            ("To-do: “Milk!”", "to do milk"),
            ("Straße", "STRASSE"),
            ("e\u{301}clair", "éclair"),
        ];
        for (one, other) in same {
            assert_eq!(fold(one), fold(other), "{one}");
        }
        assert_ne!(fold("3 months"), fold("6 months"));
        assert_eq!(stems(&fold("Two passports, glass")), " two passport glass ");
        assert_eq!(fold("東京 2"), " 東 京 2 ");
    }
}
