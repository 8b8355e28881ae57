//! Places in SARIF: which file, and which part of it.

use serde_sarif::sarif::{ArtifactLocation, Location, LogicalLocation, PhysicalLocation, Region};

use crate::cli::report::root::Place;
use crate::cli::report::{Finding, Trouble};
use crate::text::{self, Lines, TextRange};

/// The name that stands for the project root in URIs.
pub(super) const ROOT_ID: &str = "%SRCROOT%";

/// The file at `place` (3.4).
pub(super) fn artifact(place: &Place) -> ArtifactLocation {
    let mut location = ArtifactLocation::builder().uri(place.uri()).build();
    location.uri_base_id = place.is_below_root().then(|| ROOT_ID.to_owned());
    location
}

/// The bytes at `range` as rows and columns (3.30); an insertion is a region without length.
pub(super) fn region(lines: &Lines<'_>, range: TextRange) -> Region {
    let (start, end) = (lines.location(range.start()), lines.location(range.end()));
    Region::builder()
        .start_line(number(start.row))
        .start_column(number(start.column))
        .end_line(number(end.row))
        .end_column(number(end.column))
        .build()
}

/// The bytes at `range` of the finding's file, and the finding's scope (3.28).
pub(super) fn location(finding: &Finding<'_>, range: TextRange) -> Location {
    let place = PhysicalLocation::builder()
        .artifact_location(artifact(finding.place))
        .region(region(finding.lines, range))
        .build();
    Location::builder().physical_location(place).build()
}

/// The function or class that the finding is in (3.33).
pub(super) fn scope(finding: &Finding<'_>) -> Option<LogicalLocation> {
    let scope = finding.diagnostic.scope.as_str();
    let name = scope.rsplit('.').next()?;
    (!scope.is_empty()).then(|| {
        LogicalLocation::builder()
            .name(name)
            .fully_qualified_name(scope)
            .build()
    })
}

/// Where something went wrong: a place in a file, or the file as a whole.
pub(super) fn problem_location(trouble: &Trouble<'_>) -> Location {
    let mut place = PhysicalLocation::builder()
        .artifact_location(artifact(trouble.place))
        .build();
    place.region = trouble.problem.place.map(|text::Location { row, column }| {
        Region::builder()
            .start_line(number(row))
            .start_column(number(column))
            .build()
    });
    Location::builder().physical_location(place).build()
}

/// Texts are capped far below the largest number.
fn number(count: usize) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}
