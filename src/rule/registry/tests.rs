//! What a registry holds, and what it refuses.

use super::*;

fn namedtuple() -> String {
    let file = FILES.get_file("namedtuple.toml").unwrap();
    file.contents_utf8().unwrap().to_owned()
}

/// What is wrong with `text` as the first file of a registry.
fn fault(text: String) -> RuleFault {
    let files = [("a.toml".to_owned(), text)];
    Registry::built_in(files.into_iter()).unwrap_err()
}

#[test]
fn every_built_in_rule_is_valid() {
    let registry = registry().unwrap();
    assert_eq!(registry.rules().count(), FILES.files().count());
    let codes = registry.codes();
    let codes: Vec<_> = codes.iter().map(|(_, code)| code.code.as_str()).collect();
    assert!(codes.is_sorted());
    for code in ["HNT001", "HNT101", "HNT900"] {
        assert!(codes.contains(&code), "{codes:?}");
    }
}

#[test]
fn a_rule_is_found_by_code_name_and_factory() {
    let registry = registry().unwrap();
    let (rule, code) = registry.by_code("HNT101").unwrap();
    assert_eq!(code.name, "dynamic-namedtuple");
    assert!(registry.by_code("HNT900").unwrap().0.is_none());
    assert!(registry.by_name("per-call-namedtuple").is_some());
    assert_eq!(registry.by_factory("collections.namedtuple"), rule);
    assert!(registry.by_code("HNT00").is_none());
}

#[test]
fn two_rules_cannot_claim_the_same() {
    let files = ["a.toml", "b.toml"].map(|file| (file.to_owned(), namedtuple()));
    let error = Registry::built_in(files.into_iter()).unwrap_err();
    assert_eq!(
        error.to_string(),
        "b.toml:1:14: `factories[0]`: `collections.namedtuple` is taken by `per-call-namedtuple`, a rule of the program. Use another one."
    );
}

#[test]
fn the_documentation_is_whole_sentences() {
    for (_, code) in registry().unwrap().codes() {
        let docs = &code.documentation;
        for text in [&docs.what_it_does, &docs.why_is_this_bad, &docs.fix_safety] {
            assert!(text.trim_end().ends_with('.'), "{}: {text}", code.code);
        }
    }
}

#[test]
fn an_unknown_key_is_told_with_its_place() {
    let fault = fault(format!("surprise = 1\n{}", namedtuple()));
    assert_eq!((fault.row, fault.column), (1, 1));
    assert_eq!(fault.key.as_deref(), Some("surprise"));
}

#[test]
fn a_rule_of_the_users_own_has_no_code_of_the_program() {
    let text = namedtuple()
        .replace("\"collections.namedtuple\"", "\"x.y\"")
        .replace("HNT001", "HNT050");
    let files = [("a.toml".to_owned(), text)];
    let error = registry().unwrap().and(files.into_iter()).unwrap_err();
    assert_eq!(error.key.as_deref(), Some("constant.code"));
    assert!(
        error.message.contains("`HNT050` starts with HNT"),
        "{error}"
    );
}

#[test]
fn each_rule_knows_the_file_that_it_was_read_from() {
    let rule = registry().unwrap().by_factory("enum.Enum").unwrap();
    assert_eq!(rule.file, "rules/enum.toml");
    assert_eq!(registry().unwrap().code_letters(), ["HNT"]);
}
