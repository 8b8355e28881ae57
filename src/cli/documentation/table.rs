//! What is to be said of all rules at a glance: code, name, default, fix and cost.

use crate::rule::{Cost, Registry};

/// The headings of the columns.
pub(super) const HEADINGS: [&str; 5] = ["Code", "Name", "Default", "Fix", "Cost of a call"];

/// A row for each code of `registry`, in order.
pub(super) fn rows(registry: &Registry) -> Vec<[String; 5]> {
    let codes = registry.codes().into_iter();
    let rows = codes.map(|(rule, code)| {
        let is_on = registry.is_default(&code.code);
        let is_fixed = rule.is_none_or(|rule| rule.constant.code == code.code);
        [
            code.code.clone(),
            code.name.clone(),
            if is_on { "on" } else { "off" }.to_owned(),
            if is_fixed { "yes" } else { "no" }.to_owned(),
            rule.map_or_else(|| "–".to_owned(), |rule| cost(&rule.cost)),
        ]
    });
    rows.collect()
}

/// The rows below their headings, each column as wide as its longest cell.
pub(super) fn aligned(rows: &[[String; 5]]) -> String {
    let headings = HEADINGS.map(str::to_owned);
    let all = || std::iter::once(&headings).chain(rows);
    let width = |column: usize| {
        let cells = all().filter_map(|row| row.get(column));
        cells.map(|cell| cell.chars().count()).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..HEADINGS.len()).map(width).collect();
    let line = |row: &[String; 5]| {
        let cells = row.iter().zip(&widths);
        let cells: Vec<String> = cells
            .map(|(cell, &width)| format!("{cell:width$}"))
            .collect();
        format!("{}\n", cells.join("  ").trim_end())
    };
    all().map(line).collect()
}

/// A cost in words, such as `55–124 µs, 30–31 objects`.
fn cost(cost: &Cost) -> String {
    let range = |[least, most]: [u32; 2]| match least == most {
        true => least.to_string(),
        false => format!("{least}–{most}"),
    };
    let unit = match cost.objects {
        [1, 1] => "object",
        _ => "objects",
    };
    format!(
        "{} µs, {} {unit}",
        range(cost.microseconds),
        range(cost.objects)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_aligned() {
        let row = |name: &str| ["A001", name, "on", "yes", "1 µs"].map(str::to_owned);
        assert_eq!(
            aligned(&[row("short"), row("much-longer")]),
            "Code  Name         Default  Fix  Cost of a call\n\
             A001  short        on       yes  1 µs\n\
             A001  much-longer  on       yes  1 µs\n"
        );
    }

    #[test]
    fn a_cost_is_a_range_or_one_number() {
        let words = |microseconds, objects| {
            cost(&Cost {
                microseconds,
                objects,
            })
        };
        assert_eq!(words([55, 124], [30, 31]), "55–124 µs, 30–31 objects");
        assert_eq!(words([2, 2], [1, 1]), "2 µs, 1 object");
    }
}
