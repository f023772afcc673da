//! Search by name: cities as people write them, countries by name or code.

use crate::fold::{fold, folded};
use crate::{City, Country, Places};

/// Names that countries go by beside GeoNames' own, folded, and the code. Hand-written: the package has none.
const COUNTRY_NAMES: &[(&str, &str)] = &[
    ("america", "US"),
    ("bosnia", "BA"),
    ("burma", "MM"),
    ("cape verde", "CV"),
    ("congo kinshasa", "CD"),
    ("cote divoire", "CI"),
    ("czech republic", "CZ"),
    ("drc", "CD"),
    ("east timor", "TL"),
    ("emirates", "AE"),
    ("england", "GB"),
    ("great britain", "GB"),
    ("holland", "NL"),
    ("hong kong sar", "HK"),
    ("korea", "KR"),
    ("macedonia", "MK"),
    ("northern ireland", "GB"),
    ("republic of the congo", "CG"),
    ("scotland", "GB"),
    ("swaziland", "SZ"),
    ("the gambia", "GM"),
    ("the netherlands", "NL"),
    ("turkiye", "TR"),
    ("uae", "AE"),
    ("uk", "GB"),
    ("united states of america", "US"),
    ("us", "US"),
    ("usa", "US"),
    ("vatican city", "VA"),
    ("viet nam", "VN"),
    ("wales", "GB"),
];

impl Places {
    /// The cities of a name, the largest first. Capital letters, marks, hyphens and apostrophes do not matter: "munchen" finds
    /// Munich, which has the other name München, and "sao paulo" São Paulo.
    ///
    /// A whole name is looked for first; where no city has it, names that begin with these words ("frankfurt am"), from three letters
    /// on. What people call a city by beside GeoNames' name is there for some two hundred; a suburb of fewer than 20,000 people may
    /// be missing. Every name is read: it takes about 4 ms natively, and twice that where no city has the
    /// whole name.
    #[must_use]
    pub fn find(&self, name: &str) -> Vec<City<'_>> {
        let found = self.find_whole(name);
        if found.is_empty() { self.find_beginning(name) } else { found }
    }

    /// The cities whose whole name it is, the largest first: the first half of [`Places::find`], for whoever does not guess.
    #[must_use]
    pub fn find_whole(&self, name: &str) -> Vec<City<'_>> {
        let wanted = fold(name);
        if wanted.is_empty() {
            return Vec::new();
        }
        self.cities_of(self.named(|name| matches(name, &wanted) == Some(Match::Whole)))
    }

    /// The cities whose name begins with these words, from three letters on, the largest first: the second half of [`Places::find`]. Those
    /// of the whole name are among them.
    #[must_use]
    pub fn find_beginning(&self, name: &str) -> Vec<City<'_>> {
        let wanted = fold(name);
        if wanted.chars().nth(2).is_none() {
            return Vec::new();
        }
        self.cities_of(self.named(|name| matches(name, &wanted).is_some()))
    }

    fn cities_of(&self, indexes: Vec<u32>) -> Vec<City<'_>> {
        indexes.into_iter().filter_map(|index| self.city(index)).collect()
    }

    /// The names that people call a city by beside the table's own: the native one, the English one, an older one. Most have none.
    pub fn other_names<'a>(&'a self, city: &City<'a>) -> impl Iterator<Item = &'a str> {
        let others = &self.pack.others;
        let found = others.binary_search_by_key(&city.index, |(index, _)| *index).ok();
        found.and_then(|at| others.get(at)).into_iter().flat_map(|(_, names)| names.split(','))
    }

    /// A country by its code ("fr"), by the name that GeoNames has ("France"), or by another common one ("USA", "Holland").
    #[must_use]
    pub fn country(&self, name_or_code: &str) -> Option<&Country> {
        let wanted = fold(name_or_code);
        let named = |country: &&Country| fold(&country.code) == wanted || fold(&country.name) == wanted;
        let countries = self.countries();
        countries.iter().find(named).or_else(|| {
            let (_, code) = COUNTRY_NAMES.iter().find(|(name, _)| *name == wanted)?;
            countries.iter().find(|country| &*country.code == *code)
        })
    }

    /// The cities of which a name is wanted, by their indices: each once, the largest first.
    fn named(&self, is_wanted: impl Fn(&str) -> bool) -> Vec<u32> {
        let mut found = Vec::new();
        let mut others = self.pack.others.iter().peekable();
        for (index, name) in (0..).zip(self.pack.names.lines()) {
            let mut is_found = is_wanted(name);
            // The other names stand in the same order as the cities.
            while let Some((_, names)) = others.next_if(|(of, _)| *of == index) {
                is_found |= names.split(',').any(&is_wanted);
            }
            if is_found {
                // Most names are a few cities': put where they belong, without the code of a sort.
                let people = self.people_at(index);
                found.insert(found.partition_point(|other| self.people_at(*other) >= people), index);
            }
        }
        found
    }
}

/// How a name has what is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Match {
    /// It is it.
    Whole,
    /// It begins with it, and a word ends there.
    Begin,
}

/// How a name has what is wanted, which is folded.
fn matches(name: &str, wanted: &str) -> Option<Match> {
    // Nearly all names are done with here, at their first letter.
    let (first, letter) = (name.bytes().next()?, wanted.bytes().next()?);
    if first.is_ascii_alphanumeric() && letter.is_ascii() && !first.eq_ignore_ascii_case(&letter) {
        return None;
    }
    let mut letters = folded(name);
    for wanted in wanted.chars() {
        if letters.next()? != wanted {
            return None;
        }
    }
    match letters.next() {
        None => Some(Match::Whole),
        Some(next) => (!next.is_alphanumeric()).then_some(Match::Begin),
    }
}
