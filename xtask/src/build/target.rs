//! Which app is built: the packages of its page and its worker, and what it is called.
//!
//! An app says it in the `Cargo.toml` of its page, under `[package.metadata.satchel]` (docs/your-own.md).

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::env::Env;
use crate::workspace::{Package, Workspace};

/// The package of Satchel's own page.
const SATCHEL: &str = "page";

/// An app.
#[derive(Clone, Debug)]
pub struct Target {
    /// The package and program of its page.
    pub page: String,
    /// What it says of itself.
    pub about: About,
    /// What Satchel says of itself, which is what `www/` says.
    satchel: About,
    /// The folder of its page's package.
    folder: PathBuf,
}

/// What an app says of itself.
#[derive(Clone, Debug, Deserialize, PartialEq, Eq)]
#[serde(deny_unknown_fields)]
pub struct About {
    /// What it is called.
    pub title: String,
    /// What it is, in a sentence.
    pub description: String,
    /// What the things are called that it keeps: `to-dos`.
    pub things: String,
    /// What the first screen asks: `ui::Welcome`'s title.
    pub welcome_title: String,
    /// What the first screen says the assistant does: `ui::Welcome`'s hint.
    pub welcome: String,
    /// What the first screen offers to say first: `ui::Welcome`'s words.
    pub first_words: Vec<String>,
    /// The package of its worker.
    pub worker: String,
    /// What the installed app's icon offers beside a new conversation.
    #[serde(default)]
    pub shortcuts: Vec<Shortcut>,
    /// Programs of its own that run off the page, in dedicated workers, and are loaded when they are first wanted.
    #[serde(default)]
    pub helpers: Vec<Helper>,
    /// Tables that its worker reads, from the root of the workspace: they are in the folder `tables`, come when they are first wanted
    /// and are kept from then on.
    #[serde(default)]
    pub tables: Vec<String>,
    /// Whether other apps can share to it.
    #[serde(default)]
    pub takes_shared: bool,
    /// Whether what they share may be photos, and whether the system may open photos in it.
    #[serde(default)]
    pub takes_photos: bool,
}

/// A program that runs off the page. What is in its folder is not installed with the app: it comes when it is first wanted, and
/// is kept from then on.
#[derive(Clone, Debug, Deserialize, PartialEq, Eq)]
#[serde(deny_unknown_fields)]
pub struct Helper {
    /// Its package.
    pub package: String,
    /// The folder of the app that has its script, its wasm and its files.
    pub folder: String,
    /// What it reads besides, from the root of the workspace.
    #[serde(default)]
    pub files: Vec<String>,
}

/// A shortcut of the installed app.
#[derive(Clone, Debug, Deserialize, PartialEq, Eq)]
#[serde(deny_unknown_fields)]
pub struct Shortcut {
    /// Its name.
    pub name: String,
    /// The same where there is little room.
    pub short_name: Option<String>,
    /// The word by which a panel of the page knows it.
    pub word: String,
}

impl About {
    /// What a page's package says.
    fn of(package: &Package) -> Result<Self> {
        let about = package.metadata.as_ref().and_then(|metadata| metadata.get("satchel"));
        let Some(about) = about else {
            bail!("{} has no [package.metadata.satchel] (docs/your-own.md)", package.manifest_path.display());
        };
        serde_json::from_value(about.clone())
            .with_context(|| format!("[package.metadata.satchel] of {}", package.name))
    }
}

impl Target {
    /// The app whose page is the package in `folder`; Satchel itself without one.
    ///
    /// # Errors
    /// When there is no such package, or it does not say what an app has to say.
    pub fn of(workspace: &Workspace, env: &Env, folder: Option<&Path>) -> Result<Self> {
        let package = match folder {
            None => workspace.get(SATCHEL).context("there is no page")?,
            Some(folder) => {
                let folder = env.root.join(folder).canonicalize();
                let folder = folder.context("there is no such folder")?;
                workspace
                    .packages
                    .iter()
                    .find(|package| package.folder() == folder)
                    .with_context(|| format!("{} is no package of this workspace", folder.display()))?
            }
        };
        let about = About::of(package)?;
        let satchel = About::of(workspace.get(SATCHEL).context("there is no page")?)?;
        if workspace.get(&about.worker).is_none() {
            bail!("{} names the worker {}, which is no package here", package.name, about.worker);
        }
        Ok(Self { page: package.name.clone(), about, satchel, folder: package.folder().to_path_buf() })
    }

    /// The packages that run in the browser; what they are built from follows by itself.
    pub fn packages(&self) -> Vec<&str> {
        let helpers = self.about.helpers.iter().map(|helper| &*helper.package);
        [&*self.page, &*self.about.worker].into_iter().chain(helpers).collect()
    }

    /// What else it is built from, from the root of the workspace.
    pub fn files(&self) -> impl Iterator<Item = &str> {
        let of_helpers = self.about.helpers.iter().flat_map(|helper| &helper.files);
        of_helpers.chain(&self.about.tables).map(String::as_str)
    }

    /// Where the built app goes.
    pub fn dist(&self, env: &Env) -> PathBuf {
        if self.page == SATCHEL { env.dist() } else { self.scratch(env).join("dist") }
    }

    /// Our own bookkeeping of its builds.
    pub fn scratch(&self, env: &Env) -> PathBuf {
        if self.page == SATCHEL { env.scratch() } else { env.scratch().join(&self.page) }
    }

    /// Puts www/ with what the app calls itself, and with the files of its own `www`, into `out`.
    pub fn put_www(&self, env: &Env, out: &Path) -> Result<()> {
        if out.exists() {
            fs::remove_dir_all(out)?;
        }
        copy(&env.root.join("www"), out)?;
        fs::write(out.join("sw.js"), super::worker_script(env)?)?;
        // It is a part of that script.
        fs::remove_file(out.join("notices.js"))?;
        let index = out.join("index.html");
        let page = fs::read_to_string(&index).context("www/ has an index.html")?;
        let mut page = self.page_of(&page)?;
        for helper in &self.about.helpers {
            page = super::html::with_helper(&page, &helper.folder)?;
        }
        fs::write(&index, page)?;
        let manifest = out.join("manifest.webmanifest");
        let text = fs::read_to_string(&manifest).context("www/ has a manifest")?;
        fs::write(&manifest, self.manifest(&text)?)?;
        let own = self.folder.join("www");
        if own.exists() { copy(&own, out) } else { Ok(()) }
    }

    /// The app's index.html: its own words, and the place of its panels left to them.
    fn page_of(&self, html: &str) -> Result<String> {
        let (satchel, own) = (&self.satchel, &self.about);
        if satchel == own {
            return Ok(html.to_owned());
        }
        let pairs = [
            (&satchel.description, &own.description),
            (&satchel.welcome_title, &own.welcome_title),
            (&satchel.welcome, &own.welcome),
            // The wide page's pane and the narrow page's tab say it with a capital.
            (&capitalised(&satchel.things), &capitalised(&own.things)),
            (&satchel.things, &own.things),
            (&satchel.title, &own.title),
        ];
        if let Some((words, _)) = pairs.iter().take(3).find(|(words, _)| !html.contains(&***words)) {
            bail!("www/index.html does not say “{words}”, where an app says its own");
        }
        let mut html = replaced(html, &pairs.map(|(words, own)| (words.clone(), escaped(own))));
        // After the words: what an app says is not looked at again.
        let chips = own.first_words.iter().map(|words| chip(words)).collect::<String>();
        for (start, end, own) in [
            ("<div class=\"chips\">", "</div>", &*chips),
            ("<section class=\"workspace\">", "</section>", ""),
        ] {
            let from =
                html.find(start).with_context(|| format!("www/index.html has no {start}"))? + start.len();
            let to = from + html[from..].find(end).with_context(|| format!("www/index.html has no {end}"))?;
            html.replace_range(from..to, own);
        }
        // The panels that Satchel has besides its first one.
        const ENDS: [&str; 2] = ["<!-- more panels -->", "<!-- so far -->"];
        while let Some(from) = html.find(ENDS[0]) {
            let to =
                html[from..].find(ENDS[1]).context("www/index.html does not end what its panels need")?;
            html.replace_range(from..from + to + ENDS[1].len(), "");
        }
        Ok(html)
    }

    /// The app's manifest: its own names and shortcuts.
    fn manifest(&self, text: &str) -> Result<String> {
        let mut manifest: Value = serde_json::from_str(text).context("the manifest is JSON")?;
        let About { title, description, shortcuts, takes_shared, takes_photos, .. } = &self.about;
        let fields = manifest.as_object_mut().context("the manifest is an object")?;
        for (name, value) in [("name", title), ("short_name", title), ("description", description)] {
            fields.insert(name.to_owned(), json!(value));
        }
        let all = fields.get_mut("shortcuts").and_then(Value::as_array_mut).context("it has shortcuts")?;
        let icons = all.first().and_then(|one| one.get("icons")).cloned().unwrap_or_default();
        let own = shortcuts.iter().map(|Shortcut { name, short_name, word }| {
            let short = short_name.as_ref().unwrap_or(name);
            json!({ "name": name, "short_name": short, "url": format!("./?do={word}"), "icons": icons })
        });
        let own: Vec<Value> = own.collect();
        all.splice(0..0, own);
        if !takes_shared {
            fields.remove("share_target");
        }
        if !takes_photos {
            fields.remove("file_handlers");
            if let Some(target) = fields.get_mut("share_target").and_then(Value::as_object_mut) {
                // Words alone go into the address: no worker has to take them.
                if let Some(given) = target.get_mut("params").and_then(Value::as_object_mut) {
                    given.remove("files");
                }
                for (name, value) in
                    [("action", "./"), ("method", "GET"), ("enctype", "application/x-www-form-urlencoded")]
                {
                    target.insert(name.to_owned(), json!(value));
                }
            }
        }
        Ok(serde_json::to_string_pretty(&manifest)?)
    }
}

/// A suggestion of the first screen.
fn chip(words: &str) -> String {
    format!("<button type=\"button\" class=\"chip\" disabled>{}</button>", escaped(words))
}

/// Text as HTML has it, in an attribute too.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('"', "&quot;")
}

/// With a capital at the start.
fn capitalised(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}

/// Each of these words in place of the other, the first that fits first; what was put in is not looked at again.
fn replaced(text: &str, pairs: &[(String, String)]) -> String {
    let (mut out, mut rest) = (String::new(), text);
    while let Some(next) = rest.chars().next() {
        match pairs.iter().find(|(words, _)| rest.starts_with(words.as_str())) {
            Some((words, own)) => {
                out.push_str(own);
                rest = &rest[words.len()..];
            }
            None => {
                out.push(next);
                rest = &rest[next.len_utf8()..];
            }
        }
    }
    out
}

/// Copies all files below a folder into another one.
fn copy(from: &Path, to: &Path) -> Result<()> {
    for name in super::files(from)? {
        let to = to.join(&name);
        if let Some(folder) = to.parent() {
            fs::create_dir_all(folder)?;
        }
        fs::copy(from.join(&name), &to).with_context(|| format!("cannot write {}", to.display()))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn about(about: Value) -> About {
        serde_json::from_value(about).unwrap()
    }

    fn notes() -> Target {
        let own = json!({"title": "Notes", "description": "Keeps notes.", "things": "notes", "worker": "w",
            "welcome_title": "What’s up at Satchel?", "welcome": "I note \"to-dos\" & more.", "first_words": ["a <b>", "to-dos"],
            "shortcuts": [{"name": "New note", "word": "new-note"}]});
        // As crates/page/Cargo.toml has it.
        let satchel = json!({"title": "Satchel", "things": "to-dos", "worker": "service-worker",
            "description": "An assistant that keeps your to-dos, photos and trips on your own device, and works without a network.",
            "welcome_title": "What’s on your mind?", "welcome": "Tell me what you have to do. I add it, split it into parts, plan your week with it, find it and take it back. Your to-dos are kept on this device.",
            "first_words": []});
        Target {
            page: "notes".to_owned(),
            about: about(own),
            satchel: about(satchel),
            folder: PathBuf::new(),
        }
    }

    #[test]
    fn the_first_screen_is_in_the_words_of_its_app() {
        let html = include_str!("../../../www/index.html");
        let page = notes().page_of(html).unwrap();
        for has in [
            "<title>Notes</title>",
            "content=\"Keeps notes.\"",
            "<span class=\"brand-name\">Notes</span>",
            "<p>I note &quot;to-dos&quot; &amp; more.</p>",
            "<aside class=\"side\" aria-label=\"Notes\">",
            "<button type=\"button\" class=\"chip\" disabled>a &lt;b></button><button type=\"button\" class=\"chip\" disabled>to-dos</button></div>",
            "icons/satchel.svg",
        ] {
            assert!(page.contains(has), "{has} in {page}");
        }
        let rest = page
            .replace("&quot;to-dos&quot;", "")
            .replace(">to-dos</button>", "")
            .replace("up at Satchel", "");
        assert!(
            !page.contains("side-tabs")
                && !page.contains("Photos")
                && page.matches("class=\"tab\"").count() == 2
        );
        assert!(!rest.to_lowercase().contains("to-do") && !rest.contains("Satchel"), "{page}");
        let satchel = Target { about: notes().satchel, ..notes() };
        assert_eq!(satchel.page_of(html).unwrap(), html);
        assert!(notes().page_of("<title>Satchel</title>").is_err());
    }

    #[test]
    fn a_manifest_has_the_shortcuts_of_its_app() {
        let text =
            "{\"name\": \"A\", \"shortcuts\": [{\"name\": \"Chat\", \"icons\": [1]}], \"share_target\": {}}";
        let manifest: Value = serde_json::from_str(&notes().manifest(text).unwrap()).unwrap();
        assert_eq!(manifest["name"], "Notes");
        assert_eq!(
            manifest["shortcuts"][0],
            json!({"name": "New note", "short_name": "New note", "url": "./?do=new-note", "icons": [1]})
        );
        assert_eq!(
            (manifest["shortcuts"].as_array().unwrap().len(), manifest.get("share_target")),
            (2, None)
        );
    }

    #[test]
    fn photos_are_taken_by_an_app_that_says_so() {
        let text = include_str!("../../../www/manifest.webmanifest");
        let of = |takes_shared, takes_photos| -> Value {
            let mut target = notes();
            (target.about.takes_shared, target.about.takes_photos) = (takes_shared, takes_photos);
            serde_json::from_str(&target.manifest(text).unwrap()).unwrap()
        };
        let (none, words, photos) = (of(false, false), of(true, false), of(true, true));
        assert_eq!((none.get("share_target"), none.get("file_handlers")), (None, None));
        let own = json!({"action": "./", "method": "GET", "enctype": "application/x-www-form-urlencoded",
            "params": {"title": "title", "text": "text", "url": "url"}});
        assert_eq!((words.get("share_target"), words.get("file_handlers")), (Some(&own), None));
        assert_eq!(photos["share_target"]["params"]["files"][0]["name"], "photos");
        assert_eq!(photos["file_handlers"][0]["action"], "./?do=photos");
        // The worker takes a form at this address alone.
        let worker = include_str!("../../../www/sw.js");
        assert_eq!(photos["share_target"]["action"], "./share");
        assert!(worker.contains("new URL(\"share\", SCOPE)") && worker.contains("form.getAll(\"photos\")"));
    }
}
