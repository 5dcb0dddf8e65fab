//! Completions of shells: each knows the commands, and the options of each.

use tests::{left_out, places, process};

#[test]
fn each_shell_gets_the_commands_and_their_options() {
    let test = "each_shell_gets_the_commands_and_their_options";
    if !places::weft().exists() && left_out(test, "the program beside it (cargo build)") {
        return;
    }
    for shell in ["bash", "zsh", "fish"] {
        let output = process::weft(&places::root(), &["completions", shell]);
        let text = String::from_utf8_lossy(&output.stdout);
        assert!(output.status.success(), "{shell}");
        for word in ["determinism", "poster", "overlay", "film"] {
            assert!(text.contains(word), "{shell}: {word}");
        }
    }
    assert!(!process::weft(&places::root(), &["completions", "shellfish"]).status.success());
}
