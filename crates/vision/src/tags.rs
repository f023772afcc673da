//! Everyday tags of a picture: the 1000 names that the tagging net knows, many of them breeds of dogs, folded into
//! the words that a person looks for.
//!
//! Which names make which tag is in `tags.txt` beside this file. Tags by rule (night, portrait, panorama) are not
//! made here: they come from measures, not from a net.

use crate::nets::{CLASSES, TagScores};

/// From this probability on, summed over its names, a tag is shown. The net's first name is right at about 0.3 and
/// more (`models/README.md`); below that it is a guess.
pub const SHOWN: f32 = 0.30;

/// The names of the net, a line each.
const NAMES: &str = include_str!("../../../models/image-tags.names.txt");

/// `tag: name, name`, a line each.
const TABLE: &str = include_str!("tags.txt");

/// A word for what a picture shows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tag {
    /// English, as `tags.txt` has it: lower-case but for names.
    pub word: &'static str,
    /// The summed probability of its names, 0 to 1.
    pub probability: f32,
}

/// The table of tags, read once.
pub struct Tags {
    words: Vec<&'static str>,
    /// For each class of the net the index of its word, if there is one.
    of_class: Vec<Option<usize>>,
}

impl Default for Tags {
    fn default() -> Self {
        Self::new()
    }
}

impl Tags {
    /// Reads the table that is built in. A millisecond; keep it for all pictures.
    #[must_use]
    pub fn new() -> Self {
        let names: Vec<String> = names().collect();
        let mut words = Vec::new();
        let mut of_class = vec![None; CLASSES];
        for (word, said) in rows() {
            for name in said {
                if let Some(place) = class(name, &names).and_then(|class| of_class.get_mut(class)) {
                    *place = Some(words.len());
                }
            }
            words.push(word);
        }
        Self { words, of_class }
    }

    /// All words that there are, in the order of the table: what a search offers.
    #[must_use]
    pub fn words(&self) -> &[&'static str] {
        &self.words
    }

    /// The tags of a picture that are sure enough to be shown, the surest first; often none.
    #[must_use]
    pub fn tags(&self, scores: &TagScores) -> Vec<Tag> {
        let mut tags = self.ranked(scores);
        tags.retain(|tag| tag.probability >= SHOWN);
        tags
    }

    /// Every tag with its probability, the surest first; equally sure ones as in the table. For measuring, and for a
    /// search that wants more than what is shown.
    #[must_use]
    pub fn ranked(&self, scores: &TagScores) -> Vec<Tag> {
        let mut tags: Vec<Tag> = self.words.iter().map(|word| Tag { word, probability: 0.0 }).collect();
        for (word, probability) in self.of_class.iter().zip(&scores.probabilities) {
            // What is no number adds nothing.
            if let Some(tag) = word.and_then(|word| tags.get_mut(word))
                && *probability > 0.0
            {
                tag.probability = (tag.probability + probability).min(1.0);
            }
        }
        order::sort_by(&mut tags, |one, other| other.probability.total_cmp(&one.probability));
        tags
    }
}

/// The first name of each class; the file keeps the backslash that JavaScript has before an apostrophe.
fn names() -> impl Iterator<Item = String> {
    NAMES.lines().map(|line| line.split(',').next().unwrap_or_default().replace('\\', ""))
}

/// The words and the names that make them.
fn rows() -> impl Iterator<Item = (&'static str, impl Iterator<Item = &'static str>)> {
    TABLE
        .lines()
        .filter(|line| !line.starts_with('#'))
        .filter_map(|line| line.split_once(':'))
        .map(|(word, names)| (word, names.split(',').map(str::trim)))
}

/// The class that a name in the table means: by its number where one is said.
fn class(name: &str, names: &[String]) -> Option<usize> {
    match name.split_once('#') {
        Some((name, number)) => {
            number.parse().ok().filter(|class| names.get(*class).is_some_and(|other| other == name))
        }
        None => names.iter().position(|other| other == name),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Scores with these probabilities and nothing else.
    fn scores(probabilities: &[(usize, f32)]) -> TagScores {
        let mut all = vec![0.0; CLASSES];
        for (class, probability) in probabilities {
            all[*class] = *probability;
        }
        TagScores { probabilities: all, features: Vec::new() }
    }

    #[test]
    fn the_table_says_names_that_there_are_and_each_once() {
        let names: Vec<String> = names().collect();
        assert_eq!(names.len(), CLASSES);
        let mut seen = std::collections::BTreeMap::new();
        let mut words = std::collections::BTreeSet::new();
        for (word, said) in rows() {
            assert!(words.insert(word), "{word} is there twice");
            for name in said {
                let class = class(name, &names).unwrap_or_else(|| panic!("{word}: there is no {name}"));
                let alike = names.iter().filter(|other| **other == names[class]).count();
                assert!(alike == 1 || name.contains('#'), "{word}: which {name}?");
                let before = seen.insert(class, word);
                assert_eq!(before, None, "{name} is in {word} and before");
            }
        }
        assert!((60..=80).contains(&words.len()), "{} tags", words.len());
        let lines = TABLE.lines().filter(|line| !line.is_empty() && !line.starts_with('#')).count();
        assert_eq!(lines, words.len(), "a line without a colon");
    }

    #[test]
    fn names_of_one_tag_are_added_up() {
        let tags = Tags::new();
        // Three cats, a dog, and a triceratops, which is nobody's everyday.
        let shown = tags.tags(&scores(&[(281, 0.2), (282, 0.1), (285, 0.1), (151, 0.35), (51, 0.25)]));
        let words: Vec<&str> = shown.iter().map(|tag| tag.word).collect();
        assert_eq!(words, ["cat", "dog"]);
        assert!((shown[0].probability - 0.4).abs() < 1e-6);
        assert_eq!(tags.tags(&scores(&[(281, 0.29)])), []);
        // The bird, not the machine.
        assert_eq!(tags.tags(&scores(&[(134, 0.9)]))[0].word, "bird");
        assert_eq!(tags.tags(&scores(&[(517, 0.9)])), []);
    }

    #[test]
    fn what_is_no_number_is_no_tag() {
        let tags = Tags::default();
        assert_eq!(tags.tags(&scores(&[(281, f32::NAN)])), []);
        assert_eq!(tags.tags(&TagScores { probabilities: vec![1.0; 3], features: Vec::new() }).len(), 1);
        assert!(tags.words().contains(&"beach"));
    }
}
