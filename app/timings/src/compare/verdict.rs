//! What an interval allows to say.

use serde::Serialize;

use super::{Ratio, Rules};

/// A difference of less is none that matters.
pub const MARGIN: f64 = 0.03;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    Faster,
    Slower,
    /// The whole interval is nearer to 1 than the margin: shown, not only not refuted.
    NoDifference,
    /// The interval allows both.
    Repeat,
}

impl Verdict {
    pub fn name(self) -> &'static str {
        match self {
            Self::Faster => "faster",
            Self::Slower => "slower",
            Self::NoDifference => "no difference",
            Self::Repeat => "repeat",
        }
    }

    /// Of the program: what a script may go on with is 0.
    pub fn exit_code(self) -> u8 {
        match self {
            Self::Faster | Self::NoDifference => 0,
            Self::Slower => 3,
            Self::Repeat => 4,
        }
    }
}

/// B against A.
pub fn judge(ratio: &Ratio, margin: f64) -> Verdict {
    if ratio.low >= 1.0 / (1.0 + margin) && ratio.high <= 1.0 + margin {
        Verdict::NoDifference
    } else if ratio.high < 1.0 {
        Verdict::Faster
    } else if ratio.low > 1.0 {
        Verdict::Slower
    } else {
        Verdict::Repeat
    }
}

pub(super) fn check(rules: &Rules) -> Result<(), String> {
    if rules.margin > 0.0 && rules.margin < 1.0 {
        Ok(())
    } else {
        Err(format!("--margin {}: a share between 0 and 1, such as 0.03", rules.margin))
    }
}
