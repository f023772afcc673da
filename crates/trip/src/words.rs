//! Plain enums whose JSON is a word: derived schemas spell out each word's meaning every time a model reads the tools, which is five
//! times as long.

/// Makes an enum of words: its serde form, a schema with the words alone, and [`word`](crate::Kind::word) for what is said of it.
macro_rules! words {
    ($(#[$about:meta])* $name:ident { $($(#[$doc:meta])* $variant:ident = $word:literal),+ $(,)? }) => {
        $(#[$about])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, serde::Serialize, serde::Deserialize)]
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
