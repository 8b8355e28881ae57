//! A finding as a result of SARIF, with the fix that a viewer can apply.

use std::collections::BTreeMap;
use std::ptr;

use serde_json::json;
use serde_sarif::sarif::{
    ArtifactChange, ArtifactContent, Fix as SarifFix, Location, Message, PropertyBag, Replacement,
    Result as SarifResult, ResultLevel,
};

use super::location::{artifact, location, region, scope};
use super::plain;
use crate::cli::report::Finding;
use crate::rule::{Diagnostic, Fix};
use crate::text::Edit;

/// The name of our fingerprint; a different way to make it needs another number.
const FINGERPRINT: &str = "hoistNamedtuple/v1";

/// The most edits of a fix that each of its findings repeats.
///
/// A viewer applies the fix of the one finding that its user looks at, so each should have it whole.
/// A fix with more edits stands with its first finding alone, as a thousand findings that share a
/// thousand edits would make a million.
const MAX_REPEATED: usize = 32;

/// The result for `finding` (3.27), whose rule is the one at `rule_index`.
pub(super) fn result(finding: &Finding<'_>, rule_index: Option<usize>) -> SarifResult {
    let diagnostic = finding.diagnostic;
    let mut place = location(finding, diagnostic.range);
    place.logical_locations = scope(finding).map(|scope| vec![scope]);
    let fingerprints = BTreeMap::from([(FINGERPRINT.to_owned(), finding.fingerprint())]);
    let mut result = SarifResult::builder()
        .rule_id(diagnostic.code)
        .level(ResultLevel::Warning)
        .message(plain(&finding.message_and_advice()).as_str())
        .locations(vec![place])
        .partial_fingerprints(fingerprints)
        .properties(properties(diagnostic))
        .build();
    result.rule_index = rule_index.and_then(|index| i64::try_from(index).ok());
    if let Some(fix) = diagnostic.fix.as_deref() {
        let is_holder = ptr::eq(finding.holder, diagnostic);
        if is_holder || fix.edits().len() <= MAX_REPEATED {
            result.fixes = Some(vec![whole(fix, finding)]);
        } else {
            result.related_locations = Some(vec![holder(finding)]);
        }
    }
    result
}

/// All edits of `fix` (3.55).
fn whole(fix: &Fix, finding: &Finding<'_>) -> SarifFix {
    let replacement = |edit: &Edit| {
        let content = ArtifactContent::builder().text(edit.content()).build();
        Replacement::builder()
            .deleted_region(region(finding.lines, edit.range()))
            .inserted_content(content)
            .build()
    };
    let change = ArtifactChange::builder()
        .artifact_location(artifact(finding.place))
        .replacements(fix.edits().map(replacement).collect::<Vec<_>>())
        .build();
    SarifFix::builder()
        .description(plain(fix.message()).as_str())
        .artifact_changes(vec![change])
        .build()
}

/// Where the finding stands that has the edits.
fn holder(finding: &Finding<'_>) -> Location {
    let mut place = location(finding, finding.holder.range);
    let text = "The fix is given with this finding, and settles both.";
    place.message = Some(Message::from(text));
    place
}

/// What has no place of its own in SARIF, by the names of the `json` format in camel case.
fn properties(diagnostic: &Diagnostic) -> PropertyBag {
    let reason = diagnostic.skip_reason;
    let fix = diagnostic.fix.as_ref();
    let definition = diagnostic.definition.as_ref().map(|definition| {
        json!({
            "name": definition.name,
            "text": definition.text,
            "reused": definition.reused,
        })
    });
    let all = [
        ("factory", json!(diagnostic.factory)),
        ("typename", json!(diagnostic.typename)),
        ("fields", json!(diagnostic.fields)),
        ("applicability", json!(fix.map(|fix| fix.applicability()))),
        ("definition", json!(definition)),
        ("skipReason", json!(reason.map(|reason| reason.code()))),
        ("skipMessage", json!(reason.map(|reason| reason.sentence()))),
        ("help", json!(diagnostic.help())),
    ];
    let known = all.into_iter().filter(|(_, value)| !value.is_null());
    let known = known.map(|(name, value)| (name.to_owned(), value));
    PropertyBag::builder()
        .additional_properties(known.collect::<BTreeMap<_, _>>())
        .build()
}
