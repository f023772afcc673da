//! The worker in parts: compiled, split, its loader put into its script (docs/adr/0054-the-worker-in-parts.md).

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail};
use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use sha2::{Digest, Sha256};

use super::finish::{files, hex};
use super::page::put;
use super::split::{self, LOADER, Program};
use super::{Profile, Target};
use crate::env::Env;
use crate::shell;

/// `www/sw.js` and a page without a worker import its script by this name, so it has no hash.
const NAME: &str = "service-worker";

/// What the names of its parts begin with until they are named by their content.
const PART: &str = "worker_";

/// How a part is fetched: a worker's own requests do not pass its handler, so the caches are asked first, and what the network
/// gives must be this build's: what else an address once gave is not taken from the browser's own cache again. A network that takes
/// the request and gives nothing is given up before the page takes the worker for hung (its calls wait 12.5 s).
const TAKE: &str = "const take = async (path, integrity) => {
    const url = new URL(path, import.meta.url);
    return (await globalThis.caches?.match(url, { ignoreVary: true }).catch(() => {})) ?? fetch(url, { integrity, cache: 'no-cache', signal: AbortSignal.timeout(8000) });
};
";

/// Compiles the worker, splits it and binds it, into `stage`.
pub fn compile(env: &Env, target: &Target, profile: Profile, stage: &Path) -> Result<()> {
    let about = match profile {
        Profile::Release | Profile::Tested => "3 min when nothing is compiled yet, else 20 s",
        Profile::Dev => "1 min when nothing is compiled yet, else 5 s",
    };
    shell::step("building the worker in parts for the browser", about, || {
        // Its loader has the name of the page's.
        let apart = env.scratch().join(NAME);
        if apart.exists() {
            fs::remove_dir_all(&apart)?;
        }
        fs::create_dir_all(&apart)?;
        let package = &*target.about.worker;
        let program = Program {
            cargo: &["--package", package, "--lib", "--crate-type", "cdylib"],
            made: &package.replace('-', "_"),
            name: NAME,
        };
        split::compile(env, profile, &program, &apart)?;
        gather(&apart, stage)
    })
}

/// Puts into `stage` what the splitter and wasm-bindgen made in `apart`: a script that has its loader in it, since a worker waits
/// for each script before its first event, and wasm.
fn gather(apart: &Path, stage: &Path) -> Result<()> {
    let read = |name: &str| {
        fs::read_to_string(apart.join(name)).with_context(|| format!("the worker's build made no {name}"))
    };
    let mut loader = read(LOADER)?;
    for file in files(apart)? {
        if file.starts_with("chunk_") {
            bail!("the splitter made {file} of what several parts need: it was not built with our line");
        }
        if let Some(part) = file.strip_prefix("split_") {
            let name = format!("{PART}{part}");
            loader = put(&loader, &format!("./{file}"), &format!("./{name}"))?;
            fs::copy(apart.join(&file), stage.join(name))?;
        }
    }
    let wasm = format!("{NAME}_bg.wasm");
    fs::copy(apart.join(&wasm), stage.join(&wasm))?;
    let script = with_loader(&read(&format!("{NAME}.js"))?, &split::read_whole(&loader)?)?;
    Ok(fs::write(stage.join(format!("{NAME}.js")), script)?)
}

/// The script with the loader in place of its imports.
fn with_loader(script: &str, loader: &str) -> Result<String> {
    let imports = |line: &&str| line.starts_with("import ");
    let from_loader = format!(" from \"./{LOADER}\"");
    let name =
        |line| str::strip_prefix(line, "import * as ")?.trim_end_matches(';').strip_suffix(&from_loader);
    let names: Option<Vec<&str>> = script.lines().filter(imports).map(name).collect();
    let Some(names) = names.filter(|names| !names.is_empty()) else {
        bail!("the worker's script imports something else than the loader of its parts");
    };
    let loads: Vec<&str> =
        loader.lines().filter_map(|line| line.strip_prefix("export const ")?.split(" =").next()).collect();
    let own: Vec<&str> = loader.lines().filter(|line| !line.starts_with("import ")).collect();
    let mut all = TAKE.to_owned() + &own.join("\n").replace("export const ", "const ");
    for name in names {
        all += &format!("\nconst {name} = {{ {} }};", loads.join(", "));
    }
    let rest: Vec<&str> = script.lines().filter(|line| !imports(line)).collect();
    Ok(format!("{all}\n{}\n", rest.join("\n")))
}

/// Names the worker's parts by what they are, and has its script take no others: a part fits one build of the main file.
pub fn name_parts(stage: &Path) -> Result<()> {
    let path = stage.join(format!("{NAME}.js"));
    let mut script = fs::read_to_string(&path).context("the build made no script of the worker")?;
    for file in files(stage)? {
        let Some(part) = file.strip_prefix(PART).and_then(|rest| rest.strip_suffix(".wasm")) else {
            continue;
        };
        let bytes = fs::read(stage.join(&file))?;
        let name = format!("{NAME}-{part}-{}.wasm", hex(&bytes));
        let integrity = BASE64_STANDARD.encode(Sha256::digest(&bytes));
        let fetched = format!("fetch(new URL(\"./{file}\", import.meta.url))");
        script = put(&script, &fetched, &format!("take(\"./{name}\", \"sha256-{integrity}\")"))?;
        fs::rename(stage.join(&file), stage.join(name))?;
    }
    Ok(fs::write(path, script)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    const LOADED: &str = "import { initSync } from \"./service-worker.js\";\n\nfunction makeLoad() {}\n\
        export const __wasm_split_load_rare = makeLoad(() => {\n    const src = fetch(new URL(\"./split_rare.wasm\", import.meta.url));\n\
        return (imports) => (WebAssembly.instantiateStreaming(src, imports));\n});\n";
    const BOUND: &str = "import * as import1 from \"./__wasm_split.js\"\n\nfunction initSync() {}\nconst imports = { \"./__wasm_split.js\": import1 };\nexport { initSync };";

    #[test]
    fn the_script_has_its_loader_in_it_and_takes_its_own_parts_alone() {
        let folder = std::env::temp_dir().join(format!("satchel-worker-{}", std::process::id()));
        let (apart, stage) = (folder.join("apart"), folder.join("stage"));
        fs::create_dir_all(&apart).unwrap();
        fs::create_dir_all(&stage).unwrap();
        for (name, text) in [
            (LOADER, LOADED),
            ("service-worker.js", BOUND),
            ("service-worker_bg.wasm", "main"),
            ("split_rare.wasm", "part"),
        ] {
            fs::write(apart.join(name), text).unwrap();
        }
        gather(&apart, &stage).unwrap();
        name_parts(&stage).unwrap();
        let part = format!("service-worker-rare-{}.wasm", hex(b"part"));
        assert_eq!(files(&stage).unwrap(), [part.as_str(), "service-worker.js", "service-worker_bg.wasm"]);
        let script = fs::read_to_string(stage.join("service-worker.js")).unwrap();
        let integrity = BASE64_STANDARD.encode(Sha256::digest(b"part"));
        assert!(
            script.contains(&format!("const src = take(\"./{part}\", \"sha256-{integrity}\");")),
            "{script}"
        );
        assert!(script.contains("const import1 = { __wasm_split_load_rare };"), "{script}");
        assert!(!script.lines().any(|line| line.starts_with("import ")), "{script}");
        assert!(!script.contains("export const"), "{script}");
        // What the wasm asks for keeps the name it was linked with.
        assert!(script.contains("{ \"./__wasm_split.js\": import1 }"), "{script}");
        fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn a_script_that_imports_something_else_stops_the_build() {
        for script in ["import init from \"./other.js\";\n", "no imports"] {
            assert!(with_loader(script, LOADED).is_err(), "{script}");
        }
    }
}
