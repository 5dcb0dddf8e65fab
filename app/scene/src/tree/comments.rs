//! Comments of RON text, and where others may go.

use super::layout::tokens;

/// The comments in a piece of text that begins outside of any, in their order.
pub fn comments(text: &str) -> Vec<&str> {
    tokens(text).iter().filter(|token| token.is_comment()).map(|token| token.text).collect()
}

/// Where a line of comments may go before what stands at a byte: the start of its line, or of one further up where a text or a
/// comment runs over that.
pub fn line_before(text: &str, at: usize) -> usize {
    let start_of_line = |at: usize| text[..at].rfind('\n').map_or(0, |end| end + 1);
    let mut line = start_of_line(at);
    for token in tokens(text).iter().rev() {
        let start = token.text.as_ptr() as usize - text.as_ptr() as usize;
        if (start + 1..start + token.text.len()).contains(&line) {
            line = start_of_line(start);
        }
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_are_told_from_texts() {
        let text = "a: \"// no\", // one\n b: /* two /* in */ it */ 3, c: r#\"/* no\"#";
        assert_eq!(comments(text), ["// one", "/* two /* in */ it */"]);
    }

    #[test]
    fn no_line_goes_into_a_text() {
        let text = "(\n  a: 1, b: \"two\nlines\", c: 3)";
        assert_eq!(line_before(text, text.find('c').unwrap()), 2);
        assert_eq!(line_before(text, text.find('b').unwrap()), 2);
        assert_eq!(line_before(text, 0), 0);
    }
}
