//! `satchel.toml` and the environment, and what becomes of them.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "tests may stop where they stand")]

use std::collections::BTreeMap;
use std::path::PathBuf;

use gateway::{Config, ConfigError};
use llm::Wire;

fn read(name: &str, toml: &str, environment: &[(&str, &str)]) -> Result<Config, ConfigError> {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("config").join(name);
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("file.key"), "sk-from-file\n").unwrap();
    std::fs::write(folder.join("openrouter.key"), "sk-r").unwrap();
    std::fs::write(folder.join("empty.key"), "\n").unwrap();
    let file = folder.join("satchel.toml");
    std::fs::write(&file, toml).unwrap();
    let environment: BTreeMap<String, String> =
        environment.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
    Config::new("dist").read(&file, &environment)
}

/// Upstreams as text, keys shown, for comparison.
fn shown(config: &Config) -> Vec<String> {
    let upstream = |(name, upstream): (&String, &gateway::Upstream)| {
        let key = upstream.key.as_ref().map_or("-", |key| key.expose());
        let models: Vec<String> = upstream
            .models
            .iter()
            .map(|model| format!("{}/{}/{:?}", model.id, model.name, model.window))
            .collect();
        let wire = if upstream.wire == Wire::OpenAiChat {
            String::new()
        } else {
            format!(" {}", upstream.wire.name())
        };
        format!("{name} {} {key} [{}]{wire}", upstream.base_url, models.join(" "))
    };
    config.upstreams.iter().map(upstream).collect()
}

type Row = (&'static str, &'static str, &'static [(&'static str, &'static str)], &'static [&'static str]);

#[test]
fn upstreams_come_from_file_and_environment() {
    // Name, file, environment, what becomes of them.
    let rows: &[Row] = &[
        ("nothing", "", &[], &[]),
        (
            "file",
            "[upstreams.a]\nbase_url = \"http://x.test/v1\"\nkey_env = \"A_KEY\"\nmodels = [\"m\", { id = \"n\", name = \"N\", window = 9 }]\n\
             [upstreams.b]\nbase_url = \"https://y.test\"\nkey_file = \"file.key\"",
            &[("A_KEY", " sk-a \n")],
            &["a http://x.test/v1 sk-a [m/m/None n/N/Some(9)]", "b https://y.test sk-from-file []"],
        ),
        (
            "known",
            "",
            &[("OPENAI_API_KEY", "sk-o"), ("OPENROUTER_API_KEY", "sk-r"), ("OLLAMA_HOST", "0.0.0.0")],
            &[
                "ollama http://127.0.0.1:11434/v1 - []",
                "openai https://api.openai.com/v1 sk-o []",
                "openrouter https://openrouter.ai/api/v1 sk-r []",
            ],
        ),
        (
            "wire",
            "[upstreams.c]\nbase_url = \"https://api.anthropic.com/v1\"\nwire = \"anthropic\"\nkey_env = \"A_KEY\"",
            &[("A_KEY", "sk-a")],
            &["c https://api.anthropic.com/v1 sk-a [] anthropic"],
        ),
        ("empty", "", &[("OPENAI_API_KEY", " "), ("OLLAMA_HOST", "")], &[]),
        ("ollama-port", "", &[("OLLAMA_HOST", "http://box:1234/")], &["ollama http://box:1234/v1 - []"]),
        ("ollama-tls", "", &[("OLLAMA_HOST", "https://box")], &["ollama https://box/v1 - []"]),
        (
            "generic",
            "",
            &[
                ("SATCHEL_UPSTREAM_MY_BOX_URL", "http://box:8000/v1"),
                ("SATCHEL_UPSTREAM_MY_BOX_KEY", "sk-b"),
                ("SATCHEL_UPSTREAM_MY_BOX_MODELS", "one, two,"),
                ("SATCHEL_UPSTREAM_ALONE_KEY", "without an address"),
            ],
            &["my-box http://box:8000/v1 sk-b [one/one/None two/two/None]"],
        ),
        (
            "both",
            "[upstreams.openai]\nbase_url = \"https://proxy.test/v1\"\nmodels = [\"m\"]",
            &[("OPENAI_API_KEY", "sk-o")],
            &["openai https://proxy.test/v1 sk-o [m/m/None]"],
        ),
    ];
    for (name, toml, environment, expected) in rows {
        let config = read(name, toml, environment).unwrap();
        assert_eq!(shown(&config), *expected, "{name}");
        assert!(!format!("{config:?}").contains("sk-"), "{name}: Debug shows a key");
        assert!(config.address.ip().is_loopback());
    }
}

#[test]
fn mistakes_are_said_so_that_they_can_be_mended() {
    let rows = [
        ("[upstreams.a]\nbase_url = \"nowhere\"", "no address"),
        ("[upstreams.\"a b\"]\nbase_url = \"http://x\"", "letters, digits"),
        ("[upstreams.a]\nbase_url = \"http://x\"\nmodels = [7]", "a model's id or { id, name, window }"),
        ("[upstreams.a]\nbase_url = \"http://x\"\nwire = \"smoke\"", "there are openai-chat, anthropic,"),
        ("connect_origins = [\"https://x.test/path\"]", "is no origin"),
        ("connect_origins = [\"*\"]", "is no origin"),
        ("public_origins = [\"satchel.test\"]", "is no origin"),
        ("limits = { requests_per_minute = -1 }", "invalid value"),
        ("[limits]\nper_minute = 1", "unknown field"),
        ("tokens_only = true", "needs somebody with a token"),
        ("[tokens.anna]\nsha256 = \"the token itself\"", "64 hexadecimal digits"),
        ("[upstreams.a]\nbase_url = \"http://x\"\nkey_file = \"empty.key\"", "its key is empty"),
        ("= what", "is not right"),
    ];
    for (toml, expected) in rows {
        let message = read("mistake", toml, &[]).unwrap_err().to_string();
        assert!(message.contains(expected), "{toml}: {message}");
    }
}

#[test]
fn a_missing_file_is_no_mistake_but_an_unreadable_one_is() {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
    assert!(Config::new("dist").read(&folder.join("not-there.toml"), &BTreeMap::new()).is_ok());
    let error = Config::new("dist").read(&folder, &BTreeMap::new()).unwrap_err();
    assert!(matches!(error, ConfigError::Unreadable { .. }), "{error}");
}

#[test]
fn the_example_is_right_as_it_stands_and_with_every_line_in_use() {
    let example = include_str!("../../../satchel.example.toml");
    let config = read("example", example, &[]).unwrap();
    assert_eq!(config.limits, gateway::Limits::default(), "the example shows the defaults");
    assert!(config.upstreams.is_empty());
    // Commented settings are lines that start with "# " and hold " = " or "[".
    let in_use: String = example
        .lines()
        .map(|line| match line.strip_prefix("# ") {
            Some(setting) if setting.starts_with('[') || setting.contains(" = ") => format!("{setting}\n"),
            _ => format!("{line}\n"),
        })
        .collect();
    let (before, after) = in_use.split_once("[limits]").unwrap();
    let config = read(
        "example-in-use",
        &format!("{before}[limits]{after}"),
        &[("OPENAI_API_KEY", "a"), ("VLLM_KEY", "b"), ("ANTHROPIC_KEY", "c")],
    )
    .unwrap();
    assert_eq!(
        config.upstreams.keys().collect::<Vec<_>>(),
        ["anthropic", "llama-cpp", "ollama", "openai", "openrouter", "vllm"]
    );
    assert_eq!((config.connect_origins.len(), config.public_origins.len()), (1, 1));
}

#[test]
fn who_runs_it_for_others_says_how() {
    let alone = read("alone", "", &[]).unwrap();
    assert_eq!((alone.pause_ms, alone.drain_ms, alone.cluster), (0, 10_000, None));
    let toml = "metrics_address = \"127.0.0.1:9464\"\ntrusted_proxies = [\"10.0.0.5\"]\n[log]\nformat = \"json\"\n\
                [quotas]\ntokens_per_day = 5\n[drain]\nstreams_ms = 7\n[cluster]\nnats = \"nats://a:4222\"\nreplicas = 3";
    let environment = [
        ("OTEL_EXPORTER_OTLP_ENDPOINT", "http://collector:4318/"),
        ("OTEL_EXPORTER_OTLP_HEADERS", "authorization=sk-collector"),
    ];
    let config = read("others", toml, &environment).unwrap();
    assert_eq!((config.pause_ms, config.drain_ms), (5_000, 7), "what is not said is as a balancer needs it");
    let cluster = gateway::Cluster { replicas: 3, ..gateway::Cluster::at("nats://a:4222") };
    assert_eq!((config.cluster.as_ref(), config.quotas.tokens_per_day), (Some(&cluster), Some(5)));
    assert_eq!(config.traces_endpoint.as_deref(), Some("http://collector:4318/v1/traces"));
    assert!(!format!("{config:?}").contains("sk-collector"), "Debug hides keys");
    let again = alone_in(&cluster);
    assert_eq!((again.pause_ms, again.drain_ms), (5_000, 60_000));
    // What is said holds, be it what is usual without a cluster.
    let said = read("said", "[drain]\npause_ms = 0\nstreams_ms = 10000", &[]).unwrap();
    let said = said.in_cluster(cluster.clone());
    assert_eq!((said.pause_ms, said.drain_ms), (0, 10_000));
    for wrong in
        ["[cluster]\nspace = \"x\"", "[log]\nformat = \"xml\"", "trusted_proxies = [\"proxy\"]", "[quota]"]
    {
        assert!(read("wrong", wrong, &[]).is_err(), "{wrong}");
    }
}

/// By `--nats`, without a file.
fn alone_in(cluster: &gateway::Cluster) -> Config {
    read("by-hand", "", &[]).unwrap().in_cluster(cluster.clone())
}
