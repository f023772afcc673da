//! Providers that do not serve the place one is in (S2-23), by what they really answer.

use protocol::Failure;

/// What they say, in small letters.
const SAYS: [&str; 10] = [
    "unsupported_country_region_territory",
    "country, region, or territory not supported",
    "user location is not supported",
    "location is not supported for the api use",
    "not available in your country",
    "not available in your region",
    "not supported in your country",
    "not supported in your region",
    "access from your country",
    "unavailable for legal reasons",
];

/// Whether a provider refuses because of the place. One that refuses a key is no such thing, although the status is the same.
#[must_use]
pub fn is_blocked_here(failure: &Failure) -> bool {
    let said = failure.message.to_lowercase();
    let is_refusal = matches!(failure.status, None | Some(400 | 401 | 403 | 451));
    failure.status == Some(451) || (is_refusal && SAYS.iter().any(|words| said.contains(words)))
}

#[cfg(test)]
mod tests {
    use protocol::FailureKind;

    use super::*;

    /// S2-23.
    #[test]
    fn a_refusal_because_of_the_place_is_told_from_any_other() {
        let failure = |status, message: &str| Failure {
            status: Some(status),
            ..Failure::new(FailureKind::PermissionDenied, message)
        };
        for (status, message) in [
            (403, "The key was refused (403: Country, region, or territory not supported)."),
            (400, "User location is not supported for the API use."),
            (451, ""),
            (403, "unsupported_country_region_territory"),
        ] {
            assert!(is_blocked_here(&failure(status, message)), "{message}");
        }
        for (status, message) in [
            (401, "Incorrect API key provided."),
            (403, "You are not allowed to sample from this model."),
            (500, "country, region, or territory not supported"),
            (429, "Rate limit reached"),
        ] {
            assert!(!is_blocked_here(&failure(status, message)), "{message}");
        }
    }
}
