//! The page's words in other languages than English: one file for each, of all the crates that the page is made of
//! (docs/adr/0075-languages.md).

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use super::finish::hex;
use super::html;

/// Writes a file of words for each language, named by its content, and their names into index.html. `crates` are the folders of
/// the page's crates; those without words of their own have no `locales`.
///
/// # Errors
/// When a crate's words are not whole in every language that there is.
pub fn put(stage: &Path, crates: &[PathBuf]) -> Result<()> {
    let with_words: Vec<&PathBuf> = crates.iter().filter(|folder| folder.join("locales").is_dir()).collect();
    let mut languages = BTreeSet::new();
    for folder in &with_words {
        for entry in fs::read_dir(folder.join("locales"))? {
            let name = entry?.file_name().into_string();
            languages.insert(name.map_err(|name| anyhow::anyhow!("{} is no language", name.display()))?);
        }
    }
    if !languages.remove(catalogue::FIRST) && !with_words.is_empty() {
        bail!("no crate has its words in English");
    }
    let index = stage.join("index.html");
    let mut page = fs::read_to_string(&index).context("cannot read index.html")?;
    for language in languages {
        let words = serde_json::to_string(&of_language(&with_words, &language)?)?;
        let name = format!("ui-words-{language}-{}.json", hex(words.as_bytes()));
        fs::write(stage.join(&name), words)?;
        page = html::with_words(&page, &language, &name)?;
    }
    Ok(fs::write(index, page)?)
}

/// A language's texts by area, as `ui_kit::language` reads them.
fn of_language(crates: &[&PathBuf], language: &str) -> Result<BTreeMap<String, Vec<String>>> {
    let mut all = BTreeMap::new();
    for folder in crates {
        let name = folder.file_name().and_then(|name| name.to_str()).context("a crate has a name")?;
        for (area, texts) in catalogue::translated(folder, language)? {
            all.insert(catalogue::key(name, &area), texts);
        }
    }
    Ok(all)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_words_of_all_crates_are_one_file_that_the_page_names() {
        let folder = std::env::temp_dir().join(format!("satchel-words-{}", std::process::id()));
        let write = |name: &str, text: &str| {
            let path = folder.join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        };
        write("a/locales/en/one.ftl", "yes = Yes\nno = No\n");
        write("a/locales/de/one.ftl", "no = Nein\nyes = Ja\n");
        write("stage/index.html", "<head><link rel=\"start\" /></head>");
        fs::create_dir_all(folder.join("b")).unwrap();
        let crates = [folder.join("a"), folder.join("b")];
        put(&folder.join("stage"), &crates).unwrap();
        let words = r#"{"a/one":["Ja","Nein"]}"#;
        let name = format!("ui-words-de-{}.json", hex(words.as_bytes()));
        assert_eq!(fs::read_to_string(folder.join("stage").join(&name)).unwrap(), words);
        let page = fs::read_to_string(folder.join("stage/index.html")).unwrap();
        assert!(page.starts_with(&format!("<head><meta name=\"words-de\" content=\"{name}\">")), "{page}");
        write("b/locales/en/two.ftl", "more = More\n");
        let why = put(&folder.join("stage"), &crates).unwrap_err();
        assert!(
            format!("{why:#}").contains("cannot read"),
            "a crate that lacks a language stops the build: {why:#}"
        );
        fs::remove_dir_all(&folder).unwrap();
    }
}
