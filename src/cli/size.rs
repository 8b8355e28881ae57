//! Sizes of files, as they are typed and shown.

use std::fmt;
use std::str::FromStr;

/// A number of bytes: one at least, and [`Size::MOST`] at most.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Size(u64);

/// The units that sizes are shown in.
const SHOWN: [(&str, u64); 3] = [("GiB", 1 << 30), ("MiB", 1 << 20), ("KiB", 1 << 10)];

impl Size {
    /// 2 GiB. Places in a text are numbers of 32 bits, which a patched text, too, must not exceed.
    pub(crate) const MOST: Self = Self(1 << 31);

    /// The number of bytes.
    pub(crate) fn bytes(self) -> u64 {
        self.0
    }

    /// Whether `length` bytes are no more than this.
    pub(crate) fn holds(self, length: usize) -> bool {
        u64::try_from(length).is_ok_and(|length| length <= self.0)
    }
}

impl Default for Size {
    /// 32 MiB.
    fn default() -> Self {
        Self(32 << 20)
    }
}

impl fmt::Display for Size {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let unit = SHOWN
            .iter()
            .find(|(_, bytes)| self.0.is_multiple_of(*bytes));
        match unit {
            Some((name, bytes)) => write!(formatter, "{} {name}", self.0 / bytes),
            None if self.0 == 1 => formatter.write_str("1 byte"),
            None => write!(formatter, "{} bytes", self.0),
        }
    }
}

impl FromStr for Size {
    type Err = String;

    /// Reads a whole number with or without a unit, whatever its case: `500k`, `64MiB`, `1 GB`. As GNU's
    /// tools have it, `k` and `KiB` are 1,024 bytes, and `kB` is 1,000.
    fn from_str(text: &str) -> Result<Self, String> {
        let bytes = bytes(text).ok_or(
            "it is no size. Give a whole number of bytes, or one with a unit, such as 500k, 64MiB or 1GB.",
        )?;
        if (1..=Self::MOST.0).contains(&bytes) {
            Ok(Self(bytes))
        } else {
            Err(format!(
                "it must be between 1 byte and {}, such as 64MiB.",
                Self::MOST
            ))
        }
    }
}

/// The number that `text` spells; one that is too large for a `u64` is its greatest value.
fn bytes(text: &str) -> Option<u64> {
    let text = text.trim();
    let digits = text.trim_start_matches(|letter: char| letter.is_ascii_digit());
    let (number, unit) = text.split_at_checked(text.len() - digits.len())?;
    if number.is_empty() {
        return None;
    }
    let number = number.parse::<u64>().unwrap_or(u64::MAX);
    let factor: u64 = match unit.trim().to_ascii_lowercase().as_str() {
        "" | "b" | "byte" | "bytes" => 1,
        "k" | "kib" => 1 << 10,
        "m" | "mib" => 1 << 20,
        "g" | "gib" => 1 << 30,
        "kb" => 1_000,
        "mb" => 1_000_000,
        "gb" => 1_000_000_000,
        _ => return None,
    };
    Some(number.saturating_mul(factor))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_size_is_read_with_or_without_a_unit_and_shown_in_the_largest_that_fits() {
        for (text, bytes, shown) in [
            ("1", 1, "1 byte"),
            ("500", 500, "500 bytes"),
            ("500k", 512_000, "500 KiB"),
            ("64MiB", 64 << 20, "64 MiB"),
            ("64 mib", 64 << 20, "64 MiB"),
            ("1G", 1 << 30, "1 GiB"),
            ("1kB", 1_000, "1000 bytes"),
            ("1MB", 1_000_000, "1000000 bytes"),
            ("2048 b", 2_048, "2 KiB"),
            ("2GiB", 1 << 31, "2 GiB"),
        ] {
            let size: Size = text.parse().unwrap();
            assert_eq!((size.bytes(), size.to_string().as_str()), (bytes, shown));
            assert_eq!(size.to_string().parse(), Ok(size), "{text}");
        }
        assert_eq!(Size::default().to_string(), "32 MiB");
    }

    #[test]
    fn what_is_no_size_and_what_is_none_that_can_be_checked_are_told() {
        for text in ["", "MiB", "1.5G", "-1", "1T", "64 M i B", "٣", "1k1"] {
            let error = text.parse::<Size>().unwrap_err();
            assert!(error.starts_with("it is no size. Give"), "{text}: {error}");
        }
        for text in [
            "0",
            "0k",
            "3G",
            "2147483649",
            "99999999999999999999999",
            "18446744073709551615k",
        ] {
            let error = text.parse::<Size>().unwrap_err();
            assert!(
                error.starts_with("it must be between 1 byte and 2 GiB"),
                "{text}: {error}"
            );
        }
    }

    #[test]
    fn a_size_holds_as_many_bytes() {
        let size: Size = "3".parse().unwrap();
        assert!(size.holds(3) && !size.holds(4));
    }
}
