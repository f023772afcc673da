//! The words around which model answers what.

use protocol::Role;

include!(concat!(env!("OUT_DIR"), "/spend.rs"));

/// What a role is for.
#[must_use]
pub fn role_name(role: Role) -> &'static str {
    match role {
        Role::Small => role_small(),
        Role::Main => role_main(),
        Role::Cheap => role_cheap(),
    }
}
