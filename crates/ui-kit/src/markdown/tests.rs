//! What hostile and ordinary text becomes. The tree has no place for HTML or images, so a row
//! shows what is left: the words, and only the links a person may follow.

use super::links::unsaid_target;
use super::parse::{parse_marked, safe_href};
use super::{Block, Inline, Item, Mark};

/// The blocks of a text, wherever they begin.
fn parse(text: &str) -> Vec<Block> {
    super::parse(text).into_iter().map(|(_, block)| block).collect()
}

/// The tree in one line: `p[..]`, `a(href)[..]`; text as it is.
fn short(blocks: &[Block]) -> String {
    blocks.iter().map(short_block).collect::<Vec<_>>().join(" ")
}

fn short_block(block: &Block) -> String {
    match block {
        Block::Paragraph(inlines) => format!("p[{}]", line(inlines)),
        Block::Heading(level, inlines) => format!("h{level}[{}]", line(inlines)),
        Block::Code { language, text } => format!("code({language})[{text}]"),
        Block::Quote(blocks) => format!("quote[{}]", short(blocks)),
        Block::List { start, items } => {
            let kind = start.map_or("ul".to_owned(), |start| format!("ol{start}"));
            let items: Vec<_> = items
                .iter()
                .map(|Item { mark, blocks, .. }| {
                    let mark = match mark {
                        Mark::None => "",
                        Mark::Open => "☐",
                        Mark::Done => "☑",
                    };
                    format!("{mark}{}", short(blocks))
                })
                .collect();
            format!("{kind}[{}]", items.join(" | "))
        }
        Block::Table { head, rows } => {
            let row =
                |cells: &Vec<Vec<Inline>>| cells.iter().map(|cell| line(cell)).collect::<Vec<_>>().join(",");
            format!("table[{}; {}]", row(head), rows.iter().map(row).collect::<Vec<_>>().join("; "))
        }
        Block::Rule => "rule".to_owned(),
    }
}

fn line(inlines: &[Inline]) -> String {
    inlines
        .iter()
        .map(|inline| match inline {
            Inline::Text(text) => text.clone(),
            Inline::Code(text) => format!("`{text}`"),
            Inline::Emphasis(inner) => format!("em[{}]", line(inner)),
            Inline::Strong(inner) => format!("strong[{}]", line(inner)),
            Inline::Strike(inner) => format!("del[{}]", line(inner)),
            Inline::Mark(inner) => format!("mark[{}]", line(inner)),
            Inline::Link { href, inlines } => format!("a({href})[{}]", line(inlines)),
            Inline::Break => "⏎".to_owned(),
        })
        .collect()
}

#[test]
fn text_becomes_only_what_is_allowed() {
    let rows = [
        // Raw HTML stays visible text.
        ("<script>alert(1)</script>", "p[<script>alert(1)</script>]"),
        ("Hi <b onclick=\"x()\">you</b>", "p[Hi <b onclick=\"x()\">you</b>]"),
        ("<img src=x onerror=alert(1)>", "p[<img src=x onerror=alert(1)>]"),
        (
            "<iframe src=\"https://evil.example\"></iframe>",
            "p[<iframe src=\"https://evil.example\"></iframe>]",
        ),
        ("<svg/onload=alert(1)>", "p[<svg/onload=alert(1)>]"),
        ("<style>*{display:none}</style>", "p[<style>*{display:none}</style>]"),
        ("<!-- hidden -->seen", "p[<!-- hidden -->seen]"),
        ("a <!--x--> b", "p[a <!--x--> b]"),
        ("<details open ontoggle=alert(1)>\n\n*x*", "p[<details open ontoggle=alert(1)>] p[em[x]]"),
        ("- <input autofocus onfocus=alert(1)>", "ul[p[<input autofocus onfocus=alert(1)>]]"),
        ("| a |\n|---|\n| <i>x</i> |", "table[a; <i>x</i>]"),
        // Only links to where a person may be sent.
        ("[x](javascript:alert(1))", "p[x]"),
        ("[x](JaVaScRiPt:alert(1))", "p[x]"),
        ("[x](<java\tscript:alert(1)>)", "p[x]"),
        ("[x](java&#10;script:alert(1))", "p[x]"),
        ("[x](&#106;avascript:alert(1))", "p[x]"),
        ("[x](vbscript:msgbox(1))", "p[x]"),
        ("[x](data:text/html;base64,PHNjcmlwdD4=)", "p[x]"),
        ("[x](file:///etc/passwd)", "p[x]"),
        ("[x](blob:https://a.example/1)", "p[x]"),
        ("[x](//evil.example)", "p[x]"),
        ("[x](/api/mcp)", "p[x]"),
        ("[x](http:evil.example)", "p[x]"),
        ("[x](#top)", "p[x]"),
        ("[x][r]\n\n[r]: javascript:alert(1)", "p[x]"),
        ("<javascript:alert(1)>", "p[javascript:alert(1)]"),
        ("[x](https://a.example/b?c=d)", "p[a(https://a.example/b?c=d)[x]]"),
        ("[x](HTTPS://a.example)", "p[a(HTTPS://a.example)[x]]"),
        ("[x](https://a.example \"t\\\" onmouseover=\\\"y\")", "p[a(https://a.example)[x]]"),
        ("<https://a.example>", "p[a(https://a.example)[https://a.example]]"),
        ("[x](mailto:me@a.example)", "p[a(mailto:me@a.example)[x]]"),
        ("[*x*](https://a.example \"title\")", "p[a(https://a.example)[em[x]]]"),
        // No image is ever loaded; its description stays.
        ("![secret](https://evil.example/p.png?d=1)", "p[secret]"),
        ("![a **b**](javascript:x)", "p[a strong[b]]"),
        ("[![alt](https://evil.example/p.png)](https://a.example)", "p[a(https://a.example)[alt]]"),
        // Entities are characters, once.
        ("&lt;script&gt;", "p[<script>]"),
        ("&amp;lt;b&amp;gt;", "p[&lt;b&gt;]"),
        ("`<b>`", "p[`<b>`]"),
        ("```html onload=x\n<script>\n```", "code(html)[<script>]"),
        // Ordinary text.
        ("One  \ntwo", "p[One⏎two]"),
        ("One\ntwo", "p[One\ntwo]"),
        ("# Head\n\nText **bold** ~~gone~~", "h1[Head] p[Text strong[bold] del[gone]]"),
        ("1. a\n2. b", "ol1[p[a] | p[b]]"),
        ("- [ ] milk\n- [x] tea", "ul[☐p[milk] | ☑p[tea]]"),
        ("- a\n  - b\n- c", "ul[p[a] ul[p[b]] | p[c]]"),
        ("> quoted\n\n---", "quote[p[quoted]] rule"),
        ("", ""),
        // Half a stream: what is open is shown as far as it goes.
        ("```rust\nfn a() {", "code(rust)[fn a() {]"),
        ("**bol", "p[**bol]"),
        ("[x](https://a.exa", "p[[x](https://a.exa]"),
    ];
    for (text, expected) in rows {
        assert_eq!(short(&parse(text)), expected, "{text}");
    }
}

fn depth(blocks: &[Block]) -> usize {
    blocks
        .iter()
        .map(|block| match block {
            Block::Quote(inner) => 1 + depth(inner),
            Block::List { items, .. } => {
                1 + items.iter().map(|item| depth(&item.blocks)).max().unwrap_or_default()
            }
            Block::Paragraph(_)
            | Block::Heading(..)
            | Block::Code { .. }
            | Block::Table { .. }
            | Block::Rule => 1,
        })
        .max()
        .unwrap_or_default()
}

#[test]
fn deep_nesting_is_flattened_and_its_words_are_kept() {
    for open in ["> ", "- ", "1. "] {
        let blocks = parse(&format!("{}deep", open.repeat(5_000)));
        assert!(depth(&blocks) < 20, "{open}");
        assert!(short(&blocks).contains("deep"), "{open}");
    }
    for (open, close) in [("**", "**"), ("[", "](https://a.example)")] {
        let blocks = parse(&format!("{}deep{}", open.repeat(3_000), close.repeat(3_000)));
        assert!(short(&blocks).contains("deep"), "{open}");
    }
}

#[test]
fn a_huge_text_is_shown_as_it_is() {
    let text = "*a* ".repeat(60_000);
    assert_eq!(parse(&text), vec![Block::Paragraph(vec![Inline::Text(text)])]);
}

#[test]
fn every_prefix_of_an_answer_parses() {
    let text =
        "Here:\n\n1. **Milk** — `today`\n2. [Tea](https://a.example)\n\n| a | b |\n|---|---|\n| 1 | 2 |\n";
    for (at, _) in text.char_indices().skip("Here:".len()) {
        assert!(short(&parse(&text[..at])).starts_with("p[Here:"), "{at}");
    }
}

#[test]
fn an_address_is_safe_or_it_is_none() {
    for bad in
        ["", ":", "https:", "https://", "http:/a", " javascript:x", "ht\ntps://a", "mailto:", "ftp://a"]
    {
        assert_eq!(safe_href(bad), None, "{bad}");
    }
    assert_eq!(safe_href(" https://a.example ").as_deref(), Some("https://a.example"));
}

#[test]
fn places_are_marked_wherever_they_stand() {
    let rows: [(&str, &[&str], &str); 6] = [
        ("You have 17 to-dos.", &["17"], "You have mark[17] to-dos."),
        ("**17** and *four* of them", &["17", "four"], "strong[mark[17]] and em[mark[four]] of them"),
        ("See `17` here", &["17"], "See mark[`17`] here"),
        ("a &amp; b", &["&amp;"], "a mark[&] b"),
        ("ein Ü und ü", &["Ü", "ü"], "ein mark[Ü] und mark[ü]"),
        ("nothing", &[], "nothing"),
    ];
    for (text, places, expected) in rows {
        let range = |place: &&str| {
            let start = text.find(*place).unwrap();
            start..start + place.len()
        };
        let marks: Vec<_> = places.iter().map(range).collect();
        let blocks: Vec<Block> = parse_marked(text, &marks).into_iter().map(|(_, block)| block).collect();
        let [Block::Paragraph(inlines)] = blocks.as_slice() else { panic!("{blocks:?}") };
        assert_eq!(line(inlines), expected, "{text}");
    }
}
/// The links of a text: where each goes, and what is said about that beside its words.
fn links(blocks: &[Block]) -> Vec<(String, Option<String>)> {
    fn of(inlines: &[Inline], found: &mut Vec<(String, Option<String>)>) {
        for inline in inlines {
            match inline {
                Inline::Link { href, inlines } => {
                    found.push((href.clone(), unsaid_target(href, inlines)));
                    of(inlines, found);
                }
                Inline::Emphasis(inner)
                | Inline::Strong(inner)
                | Inline::Strike(inner)
                | Inline::Mark(inner) => of(inner, found),
                Inline::Text(_) | Inline::Code(_) | Inline::Break => {}
            }
        }
    }
    let mut found = Vec::new();
    for block in blocks {
        match block {
            Block::Paragraph(inlines) | Block::Heading(_, inlines) => of(inlines, &mut found),
            Block::Quote(inner) => found.extend(links(inner)),
            Block::List { items, .. } => items.iter().for_each(|item| found.extend(links(&item.blocks))),
            Block::Table { head, rows } => {
                head.iter().chain(rows.iter().flatten()).for_each(|cell| of(cell, &mut found));
            }
            Block::Code { .. } | Block::Rule => {}
        }
    }
    found
}

#[test]
fn a_link_says_where_it_goes_unless_its_words_do() {
    let rows = [
        ("[your to-dos](https://evil.example/c?d=x)", Some("evil.example")),
        ("[https://bank.example](https://evil.example/?d=x)", Some("evil.example")),
        ("[https://evil.example.bank.example](https://evil.example)", Some("evil.example")),
        ("[x](https://bank.example@evil.example/)", Some("evil.example")),
        ("[reply](mailto:thief@evil.example?body=x)", Some("thief@evil.example")),
        ("<https://a.example/b?c=d>", None),
        ("[a.example](https://a.example/b)", None),
        ("[**HTTPS://A.example/b**](https://a.example/b)", None),
        ("[me@a.example](mailto:me@a.example)", None),
    ];
    for (text, expected) in rows {
        let found = links(&parse(text));
        assert_eq!(found.len(), 1, "{text}");
        assert_eq!(found[0].1.as_deref(), expected, "{text}");
    }
}

#[test]
fn planted_text_draws_no_picture_and_no_link_that_hides_where_it_goes() {
    let corpus = [
        include_str!("../../../../tests/native/tests/injection/orders.json"),
        include_str!("../../../../tests/native/tests/injection/fences.json"),
        include_str!("../../../../tests/native/tests/injection/pretend.json"),
        include_str!("../../../../tests/native/tests/injection/exfiltration.json"),
        include_str!("../../../../tests/native/tests/injection/unicode.json"),
        include_str!("../../../../tests/native/tests/injection/languages.json"),
        include_str!("../../../../tests/native/tests/injection/encoded.json"),
        include_str!("../../../../tests/native/tests/injection/steps.json"),
        include_str!("../../../../tests/native/tests/injection/places.json"),
    ];
    let (mut texts, mut found, mut hidden) = (0, 0, 0);
    for attack in corpus.iter().flat_map(|file| serde_json::from_str::<Vec<serde_json::Value>>(file).unwrap())
    {
        for text in [&attack["text"], &attack["says"]].into_iter().filter_map(serde_json::Value::as_str) {
            texts += 1;
            // The tree has no place for a picture; what is left to follow is a plain address that is in sight.
            for (href, target) in links(&parse(text)) {
                found += 1;
                assert!(safe_href(&href).is_some(), "{href}");
                hidden += usize::from(target.is_some());
            }
        }
    }
    assert!(texts > 104 && found >= 6 && hidden >= 5, "{texts} texts, {found} links, {hidden} would hide");
}
