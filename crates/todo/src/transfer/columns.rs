//! The columns of a file of comma-separated values, by the names in its header.

use std::collections::BTreeMap;

/// A record of such a file: the line it begins at, and its cells.
pub(super) type Record = (usize, Vec<String>);

/// Where each column stands, by its name in lower case.
pub(super) struct Columns(BTreeMap<String, usize>);

impl Columns {
    /// The columns of a header.
    pub fn of(header: &[String]) -> Self {
        let places = header.iter().enumerate().map(|(place, name)| (name.trim().to_lowercase(), place));
        Self(order::gather(places))
    }

    /// Whether there are columns of all these names.
    pub fn have(&self, names: &[&str]) -> bool {
        names.iter().all(|name| self.0.contains_key(*name))
    }

    /// What a record says in a column, without the spaces around it; nothing where there is no such column.
    pub fn cell<'a>(&self, cells: &'a [String], name: &str) -> &'a str {
        self.0.get(name).and_then(|place| cells.get(*place)).map_or("", |cell| cell.trim())
    }

    /// A sentence about the columns that are not read, and in which some record says more than what its program fills in by itself.
    pub fn left_out(&self, records: &[Record], read: &[&str], empty: &[&str]) -> Option<String> {
        let says = |place: &usize, (_, cells): &Record| {
            let cell = cells.get(*place).map_or("", |cell| cell.trim());
            !cell.is_empty() && !empty.iter().any(|word| word.eq_ignore_ascii_case(cell))
        };
        let said = |(name, place): (&String, &usize)| {
            let is_left_out =
                !read.contains(&name.as_str()) && records.iter().any(|record| says(place, record));
            is_left_out.then(|| name.clone())
        };
        let names: Vec<String> = self.0.iter().filter_map(said).collect();
        (!names.is_empty())
            .then(|| format!("Columns that have no place here were left out: {}.", names.join(", ")))
    }
}
