//! What the built-in model does with what people say: one row a conversation (messages apart by ` // `), its calls and
//! answers snapshotted. Read a changed snapshot line by line: each is a promise.

use crate::common;

use common::{Talk, home};

/// Every row as a transcript, each from the same to-dos.
fn transcripts(rows: &str) -> String {
    let mut out = String::new();
    for row in rows.lines().map(str::trim).filter(|row| !row.is_empty()) {
        let mut talk = Talk::new(home());
        out.push_str("────\n");
        for said in row.split(" // ") {
            let reply = talk.say(&said.replace("\\n", "\n"));
            out.push_str(&format!("> {said}\n"));
            for (tool, arguments) in &reply.calls {
                out.push_str(&format!("  {tool} {}\n", common::sorted(arguments)));
            }
            for line in reply.answer.lines().filter(|line| !line.is_empty()) {
                out.push_str(&format!("  | {line}\n"));
            }
        }
    }
    out
}

macro_rules! group {
    ($name:ident) => {
        #[test]
        fn $name() {
            insta::assert_snapshot!(transcripts(include_str!(concat!("rows/", stringify!($name), ".txt"))));
        }
    };
}

group!(adding);
group!(dates);
group!(listing);
group!(questions);
group!(suggestions);
group!(pointing);
group!(changing);
group!(deleting);
group!(several_steps);
group!(talking);
group!(german);
