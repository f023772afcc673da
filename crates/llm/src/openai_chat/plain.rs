//! The quick way for the chunk that nearly all of a stream is made of: some more text and nothing else.
//!
//! It reads such a chunk in one walk over its bytes and builds nothing but the text. Whatever it has not
//! been taught, down to a number with a fraction, is left to the whole decoder; so what it does read means
//! the same there.

/// The new text of a chunk that holds text alone; `None` for every other chunk, and for what is no JSON.
pub(super) fn text(data: &str) -> Option<String> {
    let mut walk = Walk { text: data, at: 0 };
    let mut text = None;
    let mut has_choices = false;
    walk.object(|walk, key| match key {
        "choices" if !has_choices => {
            has_choices = true;
            text = walk.choices()?;
            Some(())
        }
        // An error may be told by either word.
        "object" | "type" => walk.string().filter(|word| *word != "error").map(drop),
        "choices" | "error" | "usage" | "x_groq" => walk.null(),
        _ => walk.scalar(),
    })?;
    (has_choices && walk.at == data.len()).then_some(text.unwrap_or_default())
}

/// A place in a text of JSON. Every method reads one thing, or gives up.
struct Walk<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Walk<'a> {
    /// A list of one choice.
    fn choices(&mut self) -> Option<Option<String>> {
        let mut text = None;
        let mut has_delta = false;
        self.byte(b'[')?;
        self.object(|walk, key| match key {
            "delta" if !has_delta => {
                has_delta = true;
                text = walk.delta()?;
                Some(())
            }
            "index" => walk.byte(b'0'),
            _ => walk.null(),
        })?;
        self.byte(b']')?;
        Some(text)
    }

    fn delta(&mut self) -> Option<Option<String>> {
        let mut text = None;
        self.object(|walk, key| match key {
            "content" if text.is_none() && !walk.is_at("null") => {
                text = Some(walk.unescaped()?);
                Some(())
            }
            "role" => walk.string().map(drop),
            _ => walk.null(),
        })?;
        Some(text)
    }

    /// An object, each value read by `value`.
    fn object(&mut self, mut value: impl FnMut(&mut Self, &'a str) -> Option<()>) -> Option<()> {
        self.byte(b'{')?;
        if self.byte(b'}').is_some() {
            return Some(());
        }
        loop {
            let key = self.string()?;
            self.byte(b':')?;
            self.space();
            value(self, key)?;
            if self.byte(b',').is_none() {
                return self.byte(b'}');
            }
        }
    }

    /// A string without escapes, a whole number, a word.
    fn scalar(&mut self) -> Option<()> {
        match self.peek()? {
            b'"' => self.string().map(drop),
            b'0' => self.byte(b'0'),
            b'1'..=b'9' => {
                while self.peek().is_some_and(|byte| byte.is_ascii_digit()) {
                    self.at += 1;
                }
                // Anything but the end of a whole number is found out by whoever reads on.
                Some(())
            }
            b't' => self.word("true"),
            b'f' => self.word("false"),
            _ => self.null(),
        }
    }

    fn null(&mut self) -> Option<()> {
        self.word("null")
    }

    fn word(&mut self, word: &str) -> Option<()> {
        self.is_at(word).then(|| self.at += word.len())
    }

    fn is_at(&self, word: &str) -> bool {
        self.text.as_bytes().get(self.at..).is_some_and(|rest| rest.starts_with(word.as_bytes()))
    }

    /// A string without escapes.
    fn string(&mut self) -> Option<&'a str> {
        let (inner, is_escaped) = self.raw_string()?;
        (!is_escaped).then_some(inner)
    }

    /// A string, as it is meant.
    fn unescaped(&mut self) -> Option<String> {
        self.space();
        let start = self.at;
        match self.raw_string()? {
            (inner, false) => Some(inner.to_owned()),
            (_, true) => serde_json::from_str(self.text.get(start..self.at)?).ok(),
        }
    }

    /// What stands between two quotes, and whether there are escapes in it.
    fn raw_string(&mut self) -> Option<(&'a str, bool)> {
        self.byte(b'"')?;
        let start = self.at;
        let mut is_escaped = false;
        loop {
            // One tight loop over most bytes there are, also where the compiler goes for size.
            let rest = self.text.as_bytes().get(self.at..)?;
            let place = rest.iter().position(|byte| matches!(byte, b'"' | b'\\' | 0..0x20))?;
            self.at += place;
            match rest.get(place)? {
                b'"' => break,
                b'\\' => {
                    is_escaped = true;
                    self.at += 2;
                }
                _ => return None,
            }
        }
        let inner = self.text.get(start..self.at)?;
        self.at += 1;
        Some((inner, is_escaped))
    }

    /// One byte of JSON's own, after any space.
    fn byte(&mut self, byte: u8) -> Option<()> {
        self.space();
        (self.peek()? == byte).then(|| self.at += 1)
    }

    fn space(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t' | b'\n' | b'\r')) {
            self.at += 1;
        }
    }

    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::text;

    #[test]
    fn rows() {
        // The chunk, its text.
        let rows: &[(&str, Option<&str>)] = &[
            (r#"{"choices":[{"delta":{"content":"Hi"}}]}"#, Some("Hi")),
            (r#"{"choices":[{"delta":{"content":"a \"b\" \u00fc\n"}}]}"#, Some("a \"b\" ü\n")),
            (r#"{"choices":[{"delta":{"content":""}}]}"#, Some("")),
            (r#"{"choices":[{"delta":{"content":null,"role":"assistant"}}]}"#, Some("")),
            (r#"{"choices":[{"delta":{}}]}"#, Some("")),
            (
                r#" { "id" : "a" , "created" : 12 , "choices" : [ { "index" : 0 , "delta" : { "content" : "x" } , "logprobs" : null , "finish_reason" : null } ] , "usage" : null , "on" : true } "#,
                None,
            ),
            (
                r#"{ "id" : "a" , "created" : 12 , "choices" : [ { "index" : 0 , "delta" : { "content" : "x" } , "logprobs" : null , "finish_reason" : null } ] , "usage" : null , "on" : true }"#,
                Some("x"),
            ),
            // What means more than text.
            (r#"{"choices":[{"delta":{"content":"Hi"},"finish_reason":"stop"}]}"#, None),
            (r#"{"choices":[{"delta":{"content":"Hi","tool_calls":[]}}]}"#, None),
            (r#"{"choices":[{"delta":{"content":"Hi","reasoning":"hm"}}]}"#, None),
            (r#"{"choices":[{"delta":{"content":[{"text":"Hi"}]}}]}"#, None),
            (r#"{"choices":[{"index":1,"delta":{"content":"Hi"}}]}"#, None),
            (r#"{"choices":[{"delta":{"content":"a"}},{"delta":{"content":"b"}}]}"#, None),
            (r#"{"choices":[{"delta":{"content":"Hi"}}],"usage":{"prompt_tokens":1}}"#, None),
            (r#"{"choices":[{"delta":{"content":"Hi"}}],"error":{"message":"no"}}"#, None),
            (r#"{"object":"error","choices":[{"delta":{"content":"Hi"}}]}"#, None),
            (r#"{"choices":[]}"#, None),
            (r#"{"id":"a"}"#, None),
            (r#"[{"choices":[{"delta":{"content":"Hi"}}]}]"#, None),
            // What is no JSON, or not plain enough to be sure.
            (r#"{"choices":[{"delta":{"content":"Hi"}}]"#, None),
            (r#"{"choices":[{"delta":{"content":"Hi"}}]} x"#, None),
            (r#"{"choices":[{"delta":{"content":"Hi}}]}"#, None),
            (r#"{"choices":[{"delta":{"content":"\ud800"}}]}"#, None),
            (r#"{"choices":[{"delta":{"content":"\"#, None),
            ("{\"choices\":[{\"delta\":{\"content\":\"a\u{1}\"}}]}", None),
            (r#"{"n":1.5,"choices":[{"delta":{"content":"Hi"}}]}"#, None),
            (r#"{"n":01,"choices":[{"delta":{"content":"Hi"}}]}"#, None),
            (r#"{"choices":[{"index":01,"delta":{"content":"Hi"}}]}"#, None),
            (r#"{"choices":[{"delta":{"content":"a","content":"b"}}]}"#, None),
            (r#"{"ch\u006fices":[{"delta":{"content":"Hi"}}]}"#, None),
            (r#"{"choices":[{"delta":{"content":"Hi"}}],}"#, None),
            ("", None),
        ];
        for (chunk, expected) in rows {
            assert_eq!(text(chunk).as_deref(), *expected, "{chunk}");
        }
    }
}
