//! What a `WWW-Authenticate` header asks for (RFC 9110, section 11.6.1; RFC 6750, section 3; RFC 9728, section 5.1).

/// The part of a challenge that matters here: what its `Bearer` scheme says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Bearer {
    /// The address of the protected resource's metadata.
    pub resource_metadata: Option<String>,
    /// The scopes the refused request needs, separated by spaces.
    pub scope: Option<String>,
    /// Why it was refused: `invalid_token`, `insufficient_scope`.
    pub error: Option<String>,
}

impl Bearer {
    /// Reads a header; several challenges, and several headers joined by commas, are fine. What is malformed is passed
    /// over, and the first value of a parameter counts.
    #[must_use]
    pub fn parse(header: &str) -> Self {
        let mut found = Self::default();
        let mut is_bearer = false;
        let mut rest = header;
        loop {
            rest = rest.trim_start_matches([' ', '\t', ',']);
            let end = rest.find([' ', '\t', ',', '=', '"']).unwrap_or(rest.len());
            let (word, after) = rest.split_at(end);
            let Some(next) = after.trim_start_matches([' ', '\t']).strip_prefix('=') else {
                if word.is_empty() {
                    // A stray quote: without stepping over it, the loop would stand still.
                    let Some(stray) = rest.chars().next() else { return found };
                    rest = &rest[stray.len_utf8()..];
                    continue;
                }
                is_bearer = word.eq_ignore_ascii_case("bearer");
                rest = after;
                continue;
            };
            let (value, after) = value(next.trim_start_matches([' ', '\t']));
            rest = after;
            let field = match word.to_ascii_lowercase().as_str() {
                "resource_metadata" => &mut found.resource_metadata,
                "scope" => &mut found.scope,
                "error" => &mut found.error,
                _ => continue,
            };
            if is_bearer && !value.is_empty() {
                field.get_or_insert(value);
            }
        }
    }
}

/// A token or a quoted string, and what follows it.
fn value(text: &str) -> (String, &str) {
    let Some(quoted) = text.strip_prefix('"') else {
        let (token, rest) = text.split_at(text.find([' ', '\t', ',']).unwrap_or(text.len()));
        return (token.to_owned(), rest);
    };
    let mut value = String::new();
    let mut chars = quoted.char_indices();
    while let Some((at, c)) = chars.next() {
        match c {
            '"' => return (value, &quoted[at + 1..]),
            '\\' => value.extend(chars.next().map(|(_, escaped)| escaped)),
            other => value.push(other),
        }
    }
    (value, "")
}

#[cfg(test)]
mod tests {
    use super::Bearer;

    #[test]
    fn a_header_is_read_for_its_bearer_challenge() {
        let rows: &[(&str, [&str; 3])] = &[
            ("", ["", "", ""]),
            ("Bearer", ["", "", ""]),
            (r#"Bearer resource_metadata="https://a/x", scope="a b""#, ["https://a/x", "a b", ""]),
            (r#"bearer Scope = "a b" , error=insufficient_scope"#, ["", "a b", "insufficient_scope"]),
            (r#"Bearer realm="one, two=\"three\"", scope="a""#, ["", "a", ""]),
            (r#"Bearer scope="a\\b\"c""#, ["", r#"a\b"c"#, ""]),
            (r#"Basic realm="x", scope="no", Bearer scope="yes""#, ["", "yes", ""]),
            (r#"Bearer scope="yes", Basic realm="x", error="no""#, ["", "yes", ""]),
            (r#"Negotiate abc==, Bearer error="invalid_token""#, ["", "", "invalid_token"]),
            (r#"Bearer, Bearer scope="second""#, ["", "second", ""]),
            (r#"Bearer scope="first", scope="second""#, ["", "first", ""]),
            ("Bearer resource_metadata=https://a/b?c=d, scope=x", ["https://a/b?c=d", "x", ""]),
            (r#"DPoP scope="no", resource_metadata="https://no""#, ["", "", ""]),
            (r#"Bearer scope="never closed"#, ["", "never closed", ""]),
            (r#""", =, " Bearer ,,, scope="a""#, ["", "a", ""]),
            (r#"Bearer scope="ä\"#, ["", "ä", ""]),
            (r#"Bearer scope="""#, ["", "", ""]),
        ];
        for (header, expected) in rows {
            let found = Bearer::parse(header);
            let found = [found.resource_metadata, found.scope, found.error].map(Option::unwrap_or_default);
            assert_eq!(found, expected.map(str::to_owned), "{header}");
        }
    }
}
