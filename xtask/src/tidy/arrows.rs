//! Who may import whom, and what stays outside: the table of the design against `cargo metadata`.
//!
//! What only tests use (dev-dependencies) is free.

use super::{Finding, Tree, about};
use crate::workspace::{Package, Workspace};

/// A package and those of ours it may be built from. A new arrow is a reviewed change.
pub const ARROWS: [(&str, &[&str]); 48] = [
    // Leaves.
    ("catalogue", &[]),
    ("dates", &[]),
    ("order", &[]),
    ("places", &["order"]),
    ("vision", &["order"]),
    ("protocol", &["order"]),
    ("mcp", &["order"]),
    ("store", &["order"]),
    ("web", &[]),
    // Inner.
    ("agent", &["dates", "order", "protocol"]),
    ("evidence", &["dates", "order", "protocol"]),
    ("llm", &["order", "protocol"]),
    ("builtin", &["dates", "order", "protocol"]),
    ("remote", &["llm", "mcp", "order", "protocol"]),
    ("domain", &["dates", "mcp", "store"]),
    ("todo", &["dates", "domain", "mcp", "order", "store"]),
    ("memory", &["domain", "mcp", "store"]),
    // Events are grouped by a rule over rows; pixels are looked at elsewhere.
    ("photo", &["dates", "domain", "mcp", "order", "store", "vision"]),
    // Places and zones come from a table; what is searched elsewhere comes in by other ways.
    ("trip", &["dates", "domain", "mcp", "order", "places", "store"]),
    ("tools", &["domain", "mcp", "order", "store"]),
    ("toolbox", &["agent", "mcp", "protocol"]),
    // A second user of the agent's driver; which domains there are, and which models, the edge says.
    ("rehearsal", &["agent", "mcp", "order", "protocol", "store", "toolbox", "tools"]),
    ("rehearsal-report", &["order", "rehearsal"]),
    // Edges.
    ("worker", &["tools", "domain", "mcp", "store", "web"]),
    ("service-worker", &["worker", "mcp", "memory", "photo", "todo", "trip"]),
    ("photo-worker", &["places", "store", "vision"]),
    // All of an assistant but its page: what is rehearsed is what ships.
    (
        "rehearsal-worker",
        &[
            "agent", "builtin", "evidence", "memory", "photo", "protocol", "rehearsal", "todo", "tools",
            "trip",
        ],
    ),
    ("ui-kit", &["catalogue", "toolbox", "web"]),
    ("ui-todo", &["catalogue", "builtin", "ui-kit", "web"]),
    ("ui-map", &["catalogue", "ui-kit", "web"]),
    ("ui-photo", &["catalogue", "order", "ui-kit", "ui-map", "web"]),
    ("ui-trip", &["catalogue", "order", "ui-kit", "ui-map", "web"]),
    // The conversation knows neither what is made of a run once it is over nor who calls from elsewhere; those two know it and
    // not each other, and the shell puts them together.
    (
        "ui-chat",
        &[
            "catalogue", "agent", "evidence", "llm", "builtin", "order", "protocol", "mcp", "remote",
            "toolbox", "ui-kit", "web",
        ],
    ),
    (
        "ui-connect",
        &["catalogue", "ui-chat", "agent", "llm", "protocol", "mcp", "remote", "toolbox", "ui-kit", "web"],
    ),
    ("ui-insight", &["catalogue", "ui-chat", "agent", "llm", "order", "protocol", "ui-kit", "web"]),
    // The worker that plays is asked by messages: what it is made of stays out of the page.
    ("ui-rehearsal", &["catalogue", "agent", "protocol", "ui-chat", "ui-kit", "web"]),
    (
        "ui",
        &[
            "catalogue", "ui-chat", "ui-connect", "ui-insight", "ui-rehearsal", "agent", "llm", "order",
            "protocol", "toolbox", "ui-kit", "web",
        ],
    ),
    ("page", &["catalogue", "builtin", "ui", "ui-kit", "ui-photo", "ui-todo", "ui-trip"]),
    ("notes", &["builtin", "ui", "ui-kit"]),
    ("notes-worker", &["worker", "domain", "mcp", "store"]),
    ("gateway", &["llm", "builtin", "protocol"]),
    ("jetstream", &["order", "store"]),
    // The gateway does not know it: who starts the gateway puts the two together.
    ("gateway-nats", &["gateway", "jetstream", "store"]),
    ("local", &["tools", "memory", "photo", "todo", "trip", "mcp", "store"]),
    ("terminal", &["agent", "evidence", "llm", "local", "mcp", "builtin", "protocol", "toolbox"]),
    ("api", &["agent", "evidence", "llm", "local", "order", "protocol", "store", "terminal"]),
    ("api-nats", &["api", "jetstream", "llm", "local", "protocol", "store", "terminal"]),
    (
        "cli",
        &[
            "agent", "api", "api-nats", "evidence", "gateway", "gateway-nats", "jetstream", "llm", "local",
            "photo", "places", "protocol", "rehearsal", "rehearsal-report", "store", "terminal", "trip",
            "vision",
        ],
    ),
];

/// These check the others: tests may use anything, and xtask only what the build of the app is made with.
const CHECKS: [&str; 12] = [
    "desk", "nats", "simulation", "native", "player", "e2e", "bench", "bench-wasm", "conformance",
    "conformance-host", "conformance-worker", "xtask",
];

/// Below the edges: pure, and the same in every place.
pub const BELOW_THE_EDGES: [&str; 18] = [
    "dates", "order", "places", "vision", "protocol", "mcp", "store", "agent", "evidence", "llm", "builtin",
    "remote", "domain", "photo", "todo", "memory", "tools", "toolbox",
];

/// Crates that bind to a browser.
const BROWSER: [&str; 8] = [
    "wasm-bindgen", "wasm-bindgen-futures", "js-sys", "web-sys", "serde-wasm-bindgen", "gloo", "rexie",
    "leptos",
];

/// Crates that bind to an operating system.
const NATIVE: [&str; 6] = ["tokio", "axum", "hyper", "reqwest", "tower", "async-std"];

/// Crates that hand out time or chance, which come in with the input.
const AMBIENT: [&str; 5] = ["rand", "getrandom", "uuid", "web-time", "chrono"];

/// Our packages import only what the table allows, and the table has a row for each.
pub fn who_may_import_whom(_: &Tree, workspace: &Workspace) -> Vec<Finding> {
    let mut findings = Vec::new();
    for package in &workspace.packages {
        let allowed = match ARROWS.iter().find(|(name, _)| *name == package.name) {
            Some((_, allowed)) => *allowed,
            None if package.name == "xtask" => &["catalogue"],
            None if CHECKS.contains(&package.name.as_str()) => continue,
            None => {
                findings.push(about(
                    &manifest(package),
                    "the package has no row in the table of arrows (xtask/src/tidy/arrows.rs)",
                ));
                continue;
            }
        };
        for dependency in package.ours().filter(|dependency| !allowed.contains(&dependency.name.as_str())) {
            findings.push(about(
                &manifest(package),
                format!("{} may not import {}", package.name, dependency.name),
            ));
        }
    }
    for (name, _) in ARROWS.iter().filter(|(name, _)| workspace.get(name).is_none()) {
        findings.push(about(
            "xtask/src/tidy/arrows.rs",
            format!("the table has a row for {name}, which does not exist"),
        ));
    }
    findings
}

/// Browser, operating system, clock and chance are for the edges; the store may bind to a browser for wasm.
pub fn foreign_crates_stay_at_the_edges(_: &Tree, workspace: &Workspace) -> Vec<Finding> {
    let mut findings = Vec::new();
    for package in &workspace.packages {
        let name = package.name.as_str();
        for dependency in package.shipped() {
            let is = |list: &[&str]| {
                list.iter().any(|entry| {
                    dependency.name == *entry || dependency.name.starts_with(&format!("{entry}-"))
                })
            };
            let for_wasm = dependency.target.as_ref().is_some_and(|target| target.contains("\"wasm\""));
            let allowed = if is(&BROWSER) {
                matches!(
                    name,
                    "ui" | "ui-chat"
                        | "ui-connect"
                        | "ui-insight"
                        | "ui-kit"
                        | "ui-todo"
                        | "ui-map"
                        | "ui-photo"
                        | "ui-rehearsal"
                        | "ui-trip"
                        | "photo-worker"
                        | "rehearsal-worker"
                        | "page"
                        | "notes"
                        | "web"
                        | "worker"
                        | "bench-wasm"
                        | "conformance-worker"
                ) || (name == "store" && for_wasm)
            } else if is(&NATIVE) {
                matches!(
                    name,
                    "gateway"
                        | "gateway-nats"
                        | "jetstream"
                        | "local"
                        | "terminal"
                        | "api"
                        | "api-nats"
                        | "cli"
                        | "native"
                        | "e2e"
                        | "bench"
                        | "conformance-host"
                )
            } else if is(&AMBIENT) {
                !BELOW_THE_EDGES.contains(&name)
            } else {
                true
            };
            if !allowed {
                findings
                    .push(about(&manifest(package), format!("{} has no place in {name}", dependency.name)));
            }
        }
    }
    findings
}

/// A feature doubles what must be tested; our crates have none.
pub fn no_features(_: &Tree, workspace: &Workspace) -> Vec<Finding> {
    let with = workspace.packages.iter().filter(|package| !package.features.is_empty());
    with.map(|package| {
        about(&manifest(package), format!("cargo features ({}): our crates have none", names(package)))
    })
    .collect()
}

/// The workspace's lints hold everywhere.
pub fn lints_are_inherited(tree: &Tree, workspace: &Workspace) -> Vec<Finding> {
    let mut findings = Vec::new();
    for package in &workspace.packages {
        let path = manifest(package);
        let text = tree.ending("Cargo.toml").find(|(found, _)| *found == path).map_or("", |(_, text)| text);
        let mut lines = text.lines().skip_while(|line| line.trim() != "[lints]");
        if lines.nth(1).map(str::trim) != Some("workspace = true") {
            findings.push(about(
                &path,
                "does not inherit the workspace's lints: add `[lints]` with `workspace = true`",
            ));
        }
    }
    findings
}

fn names(package: &Package) -> String {
    package.features.keys().cloned().collect::<Vec<_>>().join(", ")
}

/// The path of a package's `Cargo.toml` from the root, as people see it.
fn manifest(package: &Package) -> String {
    let path = package.manifest_path.to_string_lossy().replace('\\', "/");
    let root = env!("CARGO_MANIFEST_DIR").replace('\\', "/");
    let root = root.trim_end_matches("xtask");
    path.strip_prefix(root).unwrap_or(&path).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workspace::Dependency;

    fn package(name: &str, dependencies: Vec<Dependency>) -> Package {
        Package {
            name: name.into(),
            id: name.into(),
            manifest_path: format!("crates/{name}/Cargo.toml").into(),
            dependencies,
            features: Default::default(),
            metadata: None,
        }
    }

    fn ours(name: &str, kind: Option<&str>) -> Dependency {
        Dependency { name: name.into(), kind: kind.map(str::to_owned), target: None, path: Some(name.into()) }
    }

    fn foreign(name: &str, target: Option<&str>) -> Dependency {
        Dependency { name: name.into(), kind: None, target: target.map(str::to_owned), path: None }
    }

    /// All packages of the table, without any dependency, but for one.
    fn workspace_with(one: Package) -> Workspace {
        let others = ARROWS.iter().map(|(name, _)| *name).chain(CHECKS).filter(|name| *name != one.name);
        let mut packages: Vec<Package> = others.map(|name| package(name, vec![])).collect();
        packages.push(one);
        Workspace { packages }
    }

    fn texts(findings: &[Finding]) -> Vec<&str> {
        findings.iter().map(|finding| finding.text.as_str()).collect()
    }

    #[test]
    fn arrows_outside_the_table_are_found() {
        for (from, to, kind, expected) in [
            ("todo", "store", None, None),
            ("todo", "store", Some("build"), None),
            ("todo", "agent", Some("dev"), None),
            ("todo", "agent", None, Some("todo may not import agent")),
            ("todo", "agent", Some("build"), Some("todo may not import agent")),
            ("protocol", "mcp", None, Some("protocol may not import mcp")),
            ("cli", "tools", None, Some("cli may not import tools")),
            ("xtask", "protocol", None, Some("xtask may not import protocol")),
            ("native", "tools", None, None),
        ] {
            let workspace = workspace_with(package(from, vec![ours(to, kind)]));
            assert_eq!(
                texts(&who_may_import_whom(&Tree::default(), &workspace)),
                expected.into_iter().collect::<Vec<_>>(),
                "{from} {to}"
            );
        }
    }

    #[test]
    fn table_and_workspace_name_the_same_packages() {
        let mut workspace = workspace_with(package("nowhere", vec![]));
        workspace.packages.retain(|package| package.name != "todo");
        let findings = who_may_import_whom(&Tree::default(), &workspace);
        assert_eq!(texts(&findings).len(), 2, "{findings:?}");
        assert!(findings[0].text.contains("no row"), "{findings:?}");
        assert!(findings[1].text.contains("todo, which does not exist"), "{findings:?}");
    }

    #[test]
    fn foreign_crates_below_the_edges_are_found() {
        let wasm = Some("cfg(target_family = \"wasm\")");
        for (package_name, dependency, target, fine) in [
            ("ui", "leptos", None, true),
            ("ui", "tokio", None, false),
            ("store", "web-sys", wasm, true),
            ("store", "web-sys", None, false),
            ("mcp", "gloo-net", wasm, false),
            ("agent", "tokio", None, false),
            ("gateway", "tokio", None, true),
            ("gateway", "tower-http", None, true),
            ("llm", "reqwest", None, false),
            ("todo", "getrandom", None, false),
            ("todo", "jiff", None, true),
        ] {
            let workspace = workspace_with(package(package_name, vec![foreign(dependency, target)]));
            let findings = foreign_crates_stay_at_the_edges(&Tree::default(), &workspace);
            assert_eq!(findings.is_empty(), fine, "{package_name} {dependency}: {findings:?}");
        }
    }

    #[test]
    fn features_are_found() {
        let mut one = package("mcp", vec![]);
        assert!(no_features(&Tree::default(), &workspace_with(package("mcp", vec![]))).is_empty());
        one.features.insert("fast".into(), vec![]);
        assert_eq!(no_features(&Tree::default(), &workspace_with(one)).len(), 1);
    }

    #[test]
    fn a_package_without_the_lints_is_found() {
        let workspace = Workspace { packages: vec![package("mcp", vec![])] };
        let with = Tree::of(&[("crates/mcp/Cargo.toml", "[package]\n\n[lints]\nworkspace = true\n")]);
        assert!(lints_are_inherited(&with, &workspace).is_empty());
        for text in ["[package]\n", "[lints]\n", "[dependencies]\nworkspace = true\n"] {
            assert_eq!(
                lints_are_inherited(&Tree::of(&[("crates/mcp/Cargo.toml", text)]), &workspace).len(),
                1
            );
        }
    }
}
