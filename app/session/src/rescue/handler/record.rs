//! The record of a crash, written without allocating: a signal handler may do no more.

use std::sync::atomic::Ordering;

use weft_core::pulse;

/// Text into memory that is there already; what does not fit is left out.
pub(super) struct Text<'a> {
    bytes: &'a mut [u8],
    len: usize,
}

impl<'a> Text<'a> {
    /// Goes on after the first `len` bytes.
    pub(super) fn new(bytes: &'a mut [u8], len: usize) -> Self {
        Self { bytes, len }
    }

    pub(super) fn len(&self) -> usize {
        self.len
    }

    pub(super) fn byte(&mut self, byte: u8) {
        // The last byte stays 0.
        if self.len + 1 < self.bytes.len() {
            self.bytes[self.len] = byte;
            self.len += 1;
        }
    }

    pub(super) fn text(&mut self, text: &str) {
        text.bytes().for_each(|byte| self.byte(byte));
    }

    /// Digits in base 10 or 16.
    pub(super) fn number(&mut self, value: u64, base: u64) {
        let (mut digits, mut count, mut rest) = ([0u8; 20], 0, value);
        while count == 0 || rest > 0 {
            digits[count] = b"0123456789abcdef"[(rest % base) as usize];
            (rest, count) = (rest / base, count + 1);
        }
        digits[..count].iter().rev().for_each(|digit| self.byte(*digit));
    }
}

/// What the handler knows of a crash; the rest stands in [`pulse`].
pub(super) struct Record<'a> {
    pub what: &'a str,
    pub stack: bool,
    pub heap: bool,
    /// A thread that does not step: what the main thread is inside of says nothing about it.
    pub foreign: bool,
}

impl Record<'_> {
    /// As [`crate::rescue::Crash`] reads it.
    pub(super) fn write(&self, record: &mut Text) {
        let phase = match pulse::Phase::now() {
            pulse::Phase::Step if self.foreign && !matches!(self.what, "HANG" | "MEMORY") => {
                pulse::Phase::Host
            }
            phase => phase,
        };
        let at = crate::autosave::now();
        record.text(self.what);
        record.text(" at=");
        record.number(at, 10);
        record.text(" well=");
        record.number(pulse::well(), 10);
        record.text(" phase=");
        record.text(phase.name());
        record.text(" generation=");
        record.number(pulse::GENERATION.load(Ordering::Relaxed).into(), 10);
        record.text(" hash=");
        record.number(pulse::HASH.load(Ordering::Relaxed), 16);
        record.text(" frame=");
        record.number(pulse::FRAME.load(Ordering::Relaxed), 10);
        record.text(" solver=");
        pulse::SOLVER.bytes().for_each(|byte| record.byte(byte));
        if pulse::shader_blamed() {
            record.text(" shader=");
            pulse::SHADER.bytes().for_each(|byte| record.byte(byte));
        }
        if self.stack {
            record.text(" stack=1");
        }
        if self.heap {
            record.text(" heap=1");
        }
    }
}
