//! Which borders have no controls: what is asked at one differs.

/// The countries of the Schengen area, which have no controls between them, by ISO 3166-1 (as of 2025, with Bulgaria and Romania).
const SCHENGEN: [&str; 29] = [
    "AT", "BE", "BG", "CH", "CZ", "DE", "DK", "EE", "ES", "FI", "FR", "GR", "HR", "HU", "IS", "IT", "LI",
    "LT", "LU", "LV", "MT", "NL", "NO", "PL", "PT", "RO", "SE", "SI", "SK",
];

/// Whether one goes from one country to the other without a control. Of what is not known nothing is asked: then there is none either.
pub(super) fn is_open(from: &str, to: &str) -> bool {
    from.is_empty() || to.is_empty() || from == to || (is_schengen(from) && is_schengen(to))
}

fn is_schengen(country: &str) -> bool {
    SCHENGEN.contains(&country)
}

/// Whether a citizen of the first may be in the second with a passport that is valid during the stay, without months beyond it: within the
/// European Economic Area and Switzerland (Directive 2004/38/EC, article 5).
pub(super) fn is_free(citizen: &str, country: &str) -> bool {
    let is_in = |country: &str| is_schengen(country) || ["IE", "CY"].contains(&country);
    citizen == country || (is_in(citizen) && is_in(country))
}
