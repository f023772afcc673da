//! Whose tiles the map shows: nobody's until the person names a server (ADR 0065).

use web::storage;

/// Where the browser keeps whose tiles the map shows. Photos had the map first.
const TILES: &str = "satchel-photos-tiles";

/// A server of map tiles that the person named.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tiles(String);

impl Tiles {
    /// Those that the person named in this browser.
    #[must_use]
    pub fn kept() -> Option<Self> {
        storage::local().get(TILES).as_deref().and_then(Self::of)
    }

    /// Keeps in this browser that these are the ones, or that there are none.
    pub fn keep(new: Option<&Self>) {
        match new {
            Some(new) => drop(storage::local().set(TILES, &new.0)),
            None => storage::local().remove(TILES),
        }
    }

    /// Reads an address with `{z}`, `{x}` and `{y}` in its path; none where it is something else, or could be read along the way.
    #[must_use]
    pub fn of(template: &str) -> Option<Self> {
        let (host, path) = template.strip_prefix("https://")?.split_once('/')?;
        let is_host = |letter: char| letter.is_ascii_alphanumeric() || ".-:[]".contains(letter);
        let parts = ["{z}", "{x}", "{y}"];
        let rest = parts.iter().fold(path.to_owned(), |path, part| path.replacen(part, "", 1));
        let is_whole = parts.iter().all(|part| path.contains(part));
        let is_plain = !rest.contains(['{', '}']) && !rest.contains(char::is_whitespace);
        (!host.is_empty() && host.chars().all(is_host) && is_whole && is_plain)
            .then(|| Self(template.to_owned()))
    }

    /// What the person wrote.
    #[must_use]
    pub fn template(&self) -> &str {
        &self.0
    }

    /// Whom it asks.
    #[must_use]
    pub fn host(&self) -> &str {
        self.0.split('/').nth(2).unwrap_or_default()
    }

    /// The address of a tile.
    #[must_use]
    pub fn address(&self, [z, x, y]: [i32; 3]) -> String {
        let parts = [("{z}", z), ("{x}", x), ("{y}", y)];
        parts.iter().fold(self.0.clone(), |address, (part, value)| address.replace(part, &value.to_string()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tiles_are_of_an_address_with_three_parts_that_nobody_reads_along_the_way() {
        let tiles = Tiles::of("https://tiles.example.org:8443/a/{z}/{x}/{y}.png?key=1").unwrap();
        assert_eq!(tiles.host(), "tiles.example.org:8443");
        assert_eq!(tiles.address([3, 4, -1]), "https://tiles.example.org:8443/a/3/4/-1.png?key=1");
        assert_eq!(Tiles::of(tiles.template()), Some(tiles));
        for wrong in [
            "",
            "http://tiles.example.org/{z}/{x}/{y}.png",
            "https://tiles.example.org/{z}/{x}.png",
            "https://{s}.example.org/{z}/{x}/{y}.png",
            "https://tiles.example.org/{z}/{x}/{y}{r}.png",
            "https://who:secret@example.org/{z}/{x}/{y}.png",
            "https:///{z}/{x}/{y}.png",
            "https://tiles.example.org/{z}/{x}/{y} .png",
            "javascript:{z}/{x}/{y}",
        ] {
            assert_eq!(Tiles::of(wrong), None, "{wrong}");
        }
    }
}
