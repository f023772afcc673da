//! The command as a person runs it on a machine without npm: what was left out is said, and fails where nobody reads
//! it.

use std::process::Command;

#[test]
fn without_npm_the_protocol_is_left_out_and_that_is_no_ok_in_ci() {
    // `PATH` has no program at all, so that none can be installed either.
    let nothing = concat!(env!("CARGO_TARGET_TMPDIR"), "/nothing-here");
    for (ci, in_ci) in [("", false), ("true", true)] {
        let mut xtask = Command::new(env!("CARGO_BIN_EXE_xtask"));
        xtask.args(["test", "protocol"]).env("PATH", nothing).env("SATCHEL_TOOLS", nothing).env("CI", ci);
        let output = xtask.output().unwrap();
        let said = String::from_utf8_lossy(&output.stdout);
        assert!(said.contains("protocol LEFT OUT"), "{said}");
        assert!(said.ends_with("but not everything ran: protocol\n"), "{said}");
        assert!(!said.contains("all ok"), "{said}");
        assert_eq!(output.status.success(), !in_ci, "{said}");
    }
}
