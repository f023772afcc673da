//! The words around which model answers what.

use protocol::Role;

pub const ROLES: &str = "A smaller model for simple messages";
pub const ROLES_HINT: &str = "Simple messages can go to a smaller or cheaper model. Everything else goes to the model chosen under “Who answers”.";
pub const ROLE_SMALL: &str = "For questions with a short answer";
pub const ROLE_CHEAP: &str = "For summaries and translations";
pub const ROLE_AS_CHOSEN: &str = "The same as for everything else";
pub const ROLE_OWN: &str = "Another model of my own server";
pub const ROLE_OWN_NAME: &str = "Its name there";

/// What a role is for.
#[must_use]
pub fn role_name(role: Role) -> &'static str {
    match role {
        Role::Small => ROLE_SMALL,
        Role::Main => "For everything else",
        Role::Cheap => ROLE_CHEAP,
    }
}
