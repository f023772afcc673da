//! Folding of names, so that "munchen", "MÜNCHEN" and "München" are one: small letters without their marks.
//!
//! A table of ours and not a library of Unicode: Latin letters are all that the names of places need, and the tables of a library
//! weigh more than the whole of this crate. Other scripts are only made small.

/// Letters, and what is written as them. Made of the decompositions in the Unicode data for Latin-1, Latin Extended-A and -B and
/// Latin Extended Additional (Vietnamese, transliterations), and of the letters that have no decomposition (ø, đ, ł, ı).
const LETTERS: &[(char, &str)] = &[
    ('a', "àáâãäåāăąǎǟǡǻȁȃȧḁạảấầẩẫậắằẳẵặ"),
    ('b', "ḃḅḇ"),
    ('c', "çćĉċčḉ"),
    ('d', "ðďđḋḍḏḑḓ"),
    ('e', "èéêëēĕėęěȅȇȩəḕḗḙḛḝẹẻẽếềểễệ"),
    ('f', "ḟ"),
    ('g', "ĝğġģǧǵḡ"),
    ('h', "ĥħȟḣḥḧḩḫẖ"),
    ('i', "ìíîïĩīĭįıǐȉȋḭḯỉị"),
    ('j', "ĵǰ"),
    ('k', "ķǩḱḳḵ"),
    ('l', "ĺļľłḷḹḻḽ"),
    ('m', "ḿṁṃ"),
    ('n', "ñńņňŋǹṅṇṉṋ"),
    ('o', "òóôõöøōŏőơǒǫǭȍȏȫȭȯȱṍṏṑṓọỏốồổỗộớờởỡợ"),
    ('p', "ṕṗ"),
    ('r', "ŕŗřȑȓṙṛṝṟ"),
    ('s', "śŝşšșṡṣṥṧṩ"),
    ('t', "ţťŧțṫṭṯṱẗ"),
    ('u', "ùúûüũūŭůűųưǔǖǘǚǜȕȗṳṵṷṹṻụủứừửữự"),
    ('v', "ṽṿ"),
    ('w', "ŵẁẃẅẇẉẘ"),
    ('x', "ẋẍ"),
    ('y', "ýÿŷȳẏẙỳỵỷỹ"),
    ('z', "źżžẑẓẕ"),
];

/// The folded characters of a text, one after the other: nothing is allocated, because a search folds every name there is.
pub(crate) fn folded(text: &str) -> impl Iterator<Item = char> {
    text.chars().flat_map(char::to_lowercase).flat_map(|c| {
        let two = match c {
            _ if c.is_ascii_alphanumeric() => [Some(c), None],
            'ß' => [Some('s'), Some('s')],
            'æ' => [Some('a'), Some('e')],
            'œ' => [Some('o'), Some('e')],
            'þ' => [Some('t'), Some('h')],
            // Apostrophes and their like, in transliterations above all; marks that combine; full stops ("St. Louis").
            '\'' | '’' | '‘' | 'ʻ' | 'ʼ' | 'ʿ' | 'ʾ' | '`' | '.' | ',' | '\u{300}'..='\u{36f}' => {
                [None, None]
            }
            '-' | '–' | '_' => [Some(' '), None],
            _ => [Some(plain(c)), None],
        };
        two.into_iter().flatten()
    })
}

/// A letter without its mark.
fn plain(c: char) -> char {
    if c.is_ascii() || !('\u{c0}'..'\u{1f00}').contains(&c) {
        return c;
    }
    LETTERS.iter().find(|(_, marked)| marked.contains(c)).map_or(c, |(letter, _)| *letter)
}

/// A text as it is searched by: folded, one space between words, none around.
pub(crate) fn fold(text: &str) -> String {
    let all: String = folded(text).collect();
    all.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::fold;

    #[test]
    fn marks_and_cases_are_one() {
        for (text, folded) in [
            ("MÜNCHEN", "munchen"),
            ("Łódź", "lodz"),
            ("Đà Nẵng", "da nang"),
            ("İstanbul", "istanbul"),
            ("Xi’an", "xian"),
            ("St.  Louis ", "st louis"),
            ("Aix-la-Chapelle", "aix la chapelle"),
            ("Straßburg", "strassburg"),
            ("Mu\u{308}nchen", "munchen"),
            ("北京", "北京"),
            ("МОСКВА", "москва"),
        ] {
            assert_eq!(fold(text), folded, "{text}");
        }
    }
}
