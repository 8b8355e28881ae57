//! Factories of the user's own project: how modules reach them, and what that means for a definition.

use crate::project::Project;

const RULE: &str = include_str!("../../docs/own-rules/recordclass.toml");

/// A package whose `factories` module makes records, and `pk/app.py` with the text.
fn package(app: &str) -> Project {
    let rule = RULE.replace("recordclass.recordclass", "pk.factories.record");
    let files: [(&str, &[u8]); 4] = [
        ("rule.toml", rule.as_bytes()),
        ("pk/__init__.py", b""),
        (
            "pk/factories.py",
            b"from collections import namedtuple as record\n",
        ),
        ("pk/app.py", app.as_bytes()),
    ];
    Project::with(&files)
}

/// The module with `import` lines above a function that calls the factory by `callee`.
fn module(above: &str, callee: &str, below: &str) -> String {
    format!(
        "{above}\n\ndef f():\n    P = {callee}(\"P\", \"a b\")\n    p = P(1, 2)\n    return p.a + p.b\n\n\n{below}print(f())\n"
    )
}

fn findings(app: &str) -> String {
    found(&package(app), "pk/app.py")
}

/// The findings in a file of the project that its own rule makes.
fn found(project: &Project, path: &str) -> String {
    let concise = [
        "--isolated",
        "--rules",
        "rule.toml",
        "--output-format",
        "concise",
    ];
    project.run(&[&concise[..], &[path]].concat()).stdout
}

#[test]
fn a_relative_import_starts_from_the_package() {
    for (above, callee) in [
        ("from .factories import record\n", "record"),
        ("from pk.factories import record as make\n", "make"),
        ("from ..pk.factories import record\n", "record"),
    ] {
        let found = findings(&module(above, callee, ""));
        let is_known = !above.contains("..pk");
        assert_eq!(
            found.contains("fixable with --fix"),
            is_known,
            "{above}{found}"
        );
    }
}

#[test]
fn a_module_that_the_file_may_meet_half_imported_is_no_place_to_read_the_factory_from() {
    for (above, callee, below) in [
        ("from . import factories\n", "factories.record", ""),
        ("import pk.factories\n", "pk.factories.record", ""),
        ("import pk.factories as pf\n", "pf.record", ""),
        (
            "import pk\n",
            "pk.factories.record",
            "import pk.factories\n",
        ),
    ] {
        let found = findings(&module(above, callee, below));
        assert!(found.contains("[factory-not-certain]"), "{above}{found}");
    }
}

#[test]
fn a_submodule_must_be_imported_itself_where_the_definition_can_see_it() {
    let foreign = |above: &str, below: &str| {
        let app = module(above, "ek.factories.record", below);
        let project = Project::with(&[
            (
                "rule.toml",
                RULE.replace("recordclass.recordclass", "ek.factories.record")
                    .as_bytes(),
            ),
            ("app.py", app.as_bytes()),
        ]);
        found(&project, "app.py")
    };
    assert!(foreign("import ek.factories\n", "").contains("fixable with --fix"));
    assert!(foreign("import ek\nimport ek.factories.more\n", "").contains("fixable with --fix"));
    for (above, below) in [
        ("import ek\n", ""),
        ("import ek.other\n", ""),
        (
            "import ek\n",
            "def load():\n    import ek.factories\n\n\nload()\n",
        ),
        (
            "import ek\nfrom typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    import ek.factories\n",
            "",
        ),
        ("import ek\n", "print(1)\nimport ek.factories\n"),
    ] {
        let found = foreign(above, below);
        assert!(found.contains("(not fixed: "), "{above}{below}{found}");
    }
}
