//! What of ours stands in a `_meta`: beside a call's arguments, in its answer, and in a tool's definition.

/// How every name of ours begins.
pub const PREFIX: &str = "dev.satchel/";

/// Of a call and its answer: the idempotency key, 1 to 128 characters.
pub const KEY: &str = "dev.satchel/key";

/// Of a call: `true` shows what would change and changes nothing. Of its answer: that was so.
pub const PREVIEW: &str = "dev.satchel/preview";

/// Of a call: the domains of which whoever asks is told nothing, and changes nothing, by no tool: the person has switched them
/// off (S0-63).
pub const WITHOUT: &str = "dev.satchel/without";

/// Of a call: as [`WITHOUT`] was said when one domain alone could be switched off, what is remembered about the person.
pub const NO_MEMORY: &str = "dev.satchel/no-memory";

/// Of a call: the IANA name of the person's zone.
pub const ZONE: &str = "dev.satchel/zone";

/// Of an answer: the revision of the data it was made from, or that it made.
pub const REV: &str = "dev.satchel/rev";

/// Of an answer: `true` where the same key was answered before, with this.
pub const REPLAYED: &str = "dev.satchel/replayed";

/// Of an answer: whose notes there are about damaged, lost or restored data, and how many.
pub const NOTES: &str = "dev.satchel/notes";

/// Of a tool: what it keeps is told to models later as the person's own words.
pub const LASTING: &str = "dev.satchel/lasting";
