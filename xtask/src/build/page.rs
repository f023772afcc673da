//! The page in parts: compiled, split, bound to JavaScript (docs/adr/0044-the-page-in-parts.md).

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail};

use super::finish::{files, hex};
use super::minify::Minifier;
use super::split::{self, LOADER, Program};
use super::{Profile, Target, html};
use crate::env::Env;
use crate::shell;

/// What the names of the page's files begin with.
const PAGE: &str = "ui";

/// Compiles the page, splits it and binds it, into `stage`.
pub fn compile(env: &Env, target: &Target, profile: Profile, stage: &Path) -> Result<()> {
    let about = match profile {
        Profile::Release | Profile::Tested => "4 min when nothing is compiled yet, else 1 min",
        Profile::Dev => "1 min when nothing is compiled yet, else 10 s",
    };
    shell::step("building the page in parts for the browser", about, || {
        let page = &*target.page;
        let program = Program { cargo: &["--package", page, "--bin", page], made: page, name: PAGE };
        split::compile(env, profile, &program, stage)
    })
}

/// Gives the page's files the hash of what they now are, because a server lets browsers keep them for ever by name, and
/// writes the start of the page into index.html. A part fits one build of the main file and no other.
pub fn name_by_content(stage: &Path, minifier: Option<&Minifier>) -> Result<()> {
    let read = |name: &str| {
        fs::read_to_string(stage.join(name)).with_context(|| format!("the build made no {name}"))
    };
    let main_script = format!("{PAGE}.js");
    let (mut script, mut loader) = (read(&main_script)?, read(LOADER)?);
    for file in files(stage)? {
        if file.starts_with("chunk_") {
            bail!("the splitter made {file} of what several parts need: it was not built with our line");
        }
        if let Some(part) = file.strip_prefix("split_").and_then(|rest| rest.strip_suffix(".wasm")) {
            let name = format!("{PAGE}-{part}-{}.wasm", hex(&fs::read(stage.join(&file))?));
            loader = put(&loader, &format!("./{file}"), &format!("./{name}"))?;
            fs::rename(stage.join(&file), stage.join(name))?;
        }
    }
    loader = split::read_whole(&loader)?;
    let old_wasm = format!("{PAGE}_bg.wasm");
    let wasm = format!("{PAGE}-{}_bg.wasm", hex(&fs::read(stage.join(&old_wasm))?));
    script = put(&script, &old_wasm, &wasm)?;
    fs::rename(stage.join(old_wasm), stage.join(&wasm))?;
    // The page's program starts once its script is there; a file of its own would be one request more.
    loader += &format!(
        "\nimport start from \"./{main_script}\";\nawait start({{ module_or_path: \"./{wasm}\" }});\n"
    );
    // Each names the other, so one hash over both is the name of both.
    let made_by = minifier.map_or("", Minifier::version);
    let hash = hex(format!("{script}{loader}{made_by}").as_bytes());
    let (new_script, new_loader) = (format!("{PAGE}-{hash}.js"), format!("{PAGE}-parts-{hash}.js"));
    script = put(&script, &format!("from \"./{LOADER}\""), &format!("from \"./{new_loader}\""))?;
    loader = put(&loader, &format!("\"./{main_script}\""), &format!("\"./{new_script}\""))?;
    let index = stage.join("index.html");
    let page = html::with_start(&html::with_policy(&read("index.html")?)?, &new_script, &new_loader)?;
    fs::write(index, page)?;
    for (old, new, text) in [(&*main_script, new_script, script), (LOADER, new_loader, loader)] {
        fs::remove_file(stage.join(old))?;
        let text = minifier.map_or(Ok(text.clone()), |minifier| minifier.script(&text))?;
        fs::write(stage.join(new), text)?;
    }
    Ok(())
}

/// `text` with `new` for `old`, which must be in it.
pub fn put(text: &str, old: &str, new: &str) -> Result<String> {
    if !text.contains(old) {
        bail!("the scripts do not name {old}");
    }
    Ok(text.replace(old, new))
}
