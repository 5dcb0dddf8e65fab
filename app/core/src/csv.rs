//! Cells and lines of CSV (RFC 4180), one record a line.

use std::borrow::Cow;

/// A value as a cell: in quotes where it has to be; line breaks become spaces.
pub fn cell(value: &str) -> Cow<'_, str> {
    if !value.contains([',', '"', '\n', '\r']) {
        return Cow::Borrowed(value);
    }
    let value = value.replace(['\n', '\r'], " ");
    if value.contains([',', '"']) {
        format!("\"{}\"", value.replace('"', "\"\"")).into()
    } else {
        value.into()
    }
}

/// A record and the end of its line.
pub fn line<'a>(values: impl Iterator<Item = &'a str>) -> String {
    values.map(cell).collect::<Vec<_>>().join(",") + "\n"
}

/// Values of a line, which may have its end or not.
pub fn cells(line: &str) -> Vec<Cow<'_, str>> {
    let line = line.strip_suffix('\n').unwrap_or(line);
    let line = line.strip_suffix('\r').unwrap_or(line);
    if !line.contains('"') {
        return line.split(',').map(Cow::Borrowed).collect();
    }
    let (mut cells, mut cell, mut inside) = (Vec::new(), String::new(), false);
    let mut rest = line.chars().peekable();
    while let Some(letter) = rest.next() {
        match letter {
            '"' if inside && rest.peek() == Some(&'"') => cell.extend(rest.next()),
            '"' => inside = !inside,
            ',' if !inside => cells.push(Cow::Owned(std::mem::take(&mut cell))),
            letter => cell.push(letter),
        }
    }
    cells.push(Cow::Owned(cell));
    cells
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_come_back_as_they_were() {
        let values = ["plain", "", "a, b", "\"quoted\"", "frame 3: \"x\", and more", "é"];
        let written = line(values.into_iter());
        assert_eq!(written, "plain,,\"a, b\",\"\"\"quoted\"\"\",\"frame 3: \"\"x\"\", and more\",é\n");
        assert_eq!(cells(&written), values);
        assert_eq!(cells("a,b\r\n"), ["a", "b"]);
        assert_eq!(cells(""), [""]);
        assert_eq!(cell("two\nlines"), "two lines");
        assert_eq!(cell("two,\nlines"), "\"two, lines\"");
    }
}
