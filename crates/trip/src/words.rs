//! Plain enums whose JSON is a word: derived schemas spell out each word's meaning every time a model reads the tools, which is five
//! times as long.

/// Makes an enum of words: its serde form (read as rows are), a schema with the words alone, and [`word`](crate::Kind::word) for what is said of it.
macro_rules! words {
    ($(#[$about:meta])* $name:ident { $($(#[$doc:meta])* $variant:ident = $word:literal),+ $(,)? }) => {
        $(#[$about])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, serde::Serialize)]
        pub enum $name {
            $($(#[$doc])* #[serde(rename = $word)] $variant),+
        }

        impl $name {
            /// All of them, in the order in which they are declared.
            pub const ALL: &'static [Self] = &[$(Self::$variant),+];

            /// Its word in JSON.
            #[must_use]
            pub const fn word(self) -> &'static str {
                match self { $(Self::$variant => $word),+ }
            }
        }

        impl domain::rows::Value for $name {
            fn blank() -> Self {
                Self::ALL[0]
            }

            fn expected(&self) -> &'static str {
                concat!("enum ", stringify!($name))
            }

            fn take(&mut self, found: serde::de::Unexpected<'_>) -> Result<(), domain::rows::Misfit> {
                const WORDS: &[&str] = &[$($word),+];
                *self = Self::ALL[domain::rows::word(found, WORDS)?];
                Ok(())
            }
        }

        impl<'de> serde::Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(input: D) -> Result<Self, D::Error> {
                domain::rows::read(input)
            }
        }

        impl schemars::JsonSchema for $name {
            fn inline_schema() -> bool {
                true
            }

            fn schema_name() -> std::borrow::Cow<'static, str> {
                stringify!($name).into()
            }

            fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
                schemars::json_schema!({ "type": "string", "enum": [$($word),+] })
            }
        }
    };
}

pub(crate) use words;
