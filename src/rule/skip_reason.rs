//! Why a call that could be made once gets no fix.

use std::fmt;

use serde::Serialize;

macro_rules! skip_reasons {
    ($($(#[doc = $doc:literal])+ $variant:ident, $code:literal, $sentence:literal, $advice:literal;)+) => {
        /// A named refusal to fix a finding.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
        #[serde(rename_all = "kebab-case")]
        pub enum SkipReason {
            $($(#[doc = $doc])+ $variant,)+
        }

        impl SkipReason {
            /// Every reason, in the order of the documentation.
            pub const ALL: &'static [SkipReason] = &[$(SkipReason::$variant,)+];

            /// The reason with that word.
            #[must_use]
            pub fn from_code(code: &str) -> Option<Self> {
                Self::ALL.iter().copied().find(|reason| reason.code() == code)
            }

            /// The stable word for it in every output, such as `class-escapes`.
            #[must_use]
            pub const fn code(self) -> &'static str {
                match self { $(SkipReason::$variant => $code,)+ }
            }

            /// Why there is no fix, as a clause that follows "not fixed: ".
            #[must_use]
            pub const fn sentence(self) -> &'static str {
                match self { $(SkipReason::$variant => $sentence,)+ }
            }

            /// The smallest edit by hand that helps, as a sentence.
            #[must_use]
            pub const fn advice(self) -> &'static str {
                match self { $(SkipReason::$variant => $advice,)+ }
            }
        }
    };
}

skip_reasons! {
    /// A call in the base list of a class statement that itself runs per call (hazard 20).
    BaseOfLocalClass, "base-of-local-class",
        "the call is a base of a class statement that also runs per call",
        "Move the whole class statement to module level.";
    /// The field names are a set display, whose order depends on the hash seed (hazard 67).
    SetFields, "set-fields",
        "the field names are a set, whose order differs between runs",
        "Write the field names as a list, a tuple or a string, in the order you mean.";
    /// A third positional argument: Python 2's `verbose`, an error in Python 3.
    VerboseArgument, "verbose-argument",
        "the third positional argument is Python 2's `verbose`",
        "Remove the third argument, or spell it `rename=` if that is meant.";
    /// An element of `defaults` is a fresh mutable value that the class would share (hazard 15).
    MutableDefault, "mutable-default",
        "a default is made anew for each class, and all calls would share the one of a single class",
        "Pass the value when the record is made, or use None as the default.";
    /// A value that the class keeps is made anew for each class: a list in a namespace, a lambda, a
    /// `field()` (hazards 10 and 16).
    ValueMadeAnew, "value-made-anew",
        "a value that the class keeps is made anew for each class, and all calls would share the one of a single class",
        "Write a class statement at module level if sharing the value is meant.";
    /// The bases of the class may run code when it is made (hazard 14).
    BasesRunCode, "bases-run-code",
        "the bases of the class may run code each time it is made, or decide who catches it",
        "Write a class statement at module level if that code may run once.";
    /// The fields are given as keywords, and newer Pythons refuse some such calls (hazard 72).
    KeywordFields, "keyword-fields",
        "the fields are given as keywords, a form that is not taken apart",
        "Write the fields as a list of pairs or as a dictionary, where the factory takes one.";
    /// It is not certain what the factory makes of an argument.
    ArgumentNotUnderstood, "argument-not-understood",
        "it is not certain what the factory makes of an argument",
        "Move the definition to module level by hand if the arguments are as they are meant.";
    /// A name in the arguments may have another value when the module is imported.
    ArgumentNotConstant, "argument-not-constant",
        "an argument may have another value when the module is imported",
        "Write the argument as a literal.";
    /// The call is a statement of its own: its class is thrown away.
    ClassUnused, "class-unused",
        "the class is made and not used",
        "Delete the statement, or assert what it is there to show.";
    /// An attribute of the class is written (hazards 6, 8, 10).
    ClassWritten, "class-written",
        "an attribute of the class is written",
        "Put the value into a field, use types.SimpleNamespace, or write a class at module level.";
    /// The class is used as a bag of attributes and never called (hazards 6, 7).
    ClassAsNamespace, "class-as-namespace",
        "the class itself is used as a bag of attributes",
        "Use types.SimpleNamespace.";
    /// `isinstance`, `issubclass`, `except`, a class pattern or a comparison asks for the class (hazards 1, 2).
    ClassCompared, "class-compared",
        "the class is compared or tested against, and one class would match values of other calls",
        "Move the definition to module level by hand if values of other calls should match.";
    /// An instance or a member leaves the call, and would equal those of other calls (hazards 3, 4).
    InstanceEscapes, "instance-escapes",
        "an instance leaves the call, and would compare equal to those of other calls",
        "Move the definition to module level by hand if the instances of all calls should compare.";
    /// The class is subclassed (hazard 20).
    ClassSubclassed, "class-subclassed",
        "the class is subclassed in the function",
        "Move the class and its subclass to module level.";
    /// The class is passed to a call that may keep or register it (hazards 12, 13).
    ClassPassed, "class-passed",
        "the class is passed to a call that may keep or change it",
        "Move the definition to module level by hand if that call may see the same class again.";
    /// The class is returned or yielded and something in the module depends on its being fresh (hazard 11).
    ClassReturned, "class-returned",
        "the function returns the class, and the module treats it as a fresh one",
        "Make the class at module level and let the callers use it.";
    /// An attribute of the class is read that two equal classes do not share, such as a field's descriptor.
    ClassInspected, "class-inspected",
        "an attribute of the class is read that is made anew with each class",
        "Move the definition to module level by hand if what is read may be the same each time.";
    /// The class is stored where its uses cannot be seen.
    ClassStored, "class-stored",
        "the class is stored where its uses cannot be followed",
        "Move the definition to module level by hand.";
    /// The class is reached through an instance: `type(x)`, `x.__class__` (hazard 86).
    ClassReachedThroughInstance, "class-reached-through-instance",
        "the class is reached through an instance of it",
        "Move the definition to module level by hand if that use may meet the same class again.";
    /// The call stands in a `try` whose handler it may reach (hazard 43).
    InsideTry, "inside-try",
        "the call can raise inside a `try` that handles it",
        "Move the call out of the `try`.";
    /// A test of the Python version decides whether the call runs (hazard 43).
    VersionGated, "version-gated",
        "the call uses what only newer versions of Python have, and others may import the module",
        "Move the definition to module level by hand, behind a test of the version where older ones matter.";
    /// The variable is declared `global` (hazard 55).
    GlobalDeclared, "global-declared",
        "the variable is declared `global`",
        "Move the definition to module level by hand.";
    /// The call stands in `f"{…=}"` or a t-string, whose source text is visible (hazard 90).
    SourceVisible, "source-visible",
        "the call's source text is part of a string",
        "Make the record before the string.";
    /// The function's source may be run elsewhere (hazards 51, 66).
    SourceShipped, "source-shipped",
        "the function is decorated or handed on, and its source may be run elsewhere, without this module",
        "Move the definition to module level by hand if the function is only called.";
    /// The factory's name may be something else at run time: a fallback, a stub, a rebinding, a name that a
    /// metaclass prepared (hazards 38, 49).
    FactoryNotCertain, "factory-not-certain",
        "the factory's name may be bound to something else",
        "Import the factory once, at the top of the module.";
    /// The factory is imported only for type checkers.
    FactoryTypeCheckingOnly, "factory-type-checking-only",
        "the factory is imported only under `if TYPE_CHECKING`",
        "Import the factory at run time, at the top of the module.";
    /// The factory is bound inside the same top-level compound statement as its use.
    FactoryBoundInSameBlock, "factory-bound-in-same-block",
        "the factory is imported inside the same top-level block as the call",
        "Import the factory at the top of the module.";
    /// Something assigns to the factory's attribute, or a library that does is imported (hazard 49).
    FactoryPatched, "factory-patched",
        "the factory may be replaced while the program runs",
        "Move the definition to module level by hand if the replacement does not matter to it.";
    /// The factory's name is bound in the function, and not by an import that can come up.
    LocalImport, "local-import",
        "the factory's name is bound inside the function, and not by an import that can come up safely",
        "Import the factory at the top of the module.";
    /// The locally imported name is bound to something else at module level.
    ImportNameTaken, "import-name-taken",
        "the name that the function imports means something else at module level",
        "Import the factory at the top of the module under a free name.";
    /// A module of the same name beside the file would shadow the import (hazard 45).
    SiblingModule, "sibling-module",
        "a module of that name beside the file could be imported instead",
        "Move the definition to module level by hand, with an import that finds the right module.";
    /// The module lists or serves its own names (hazards 34, 87, 91).
    ModuleEnumeratesNames, "module-enumerates-names",
        "the module lists or serves its own names, and a new name would show",
        "Move the definition to module level by hand if the new name may show.";
    /// Functions of this file may not see module-level names (hazards 46, 94).
    FunctionsRunElsewhere, "functions-run-elsewhere",
        "functions of this file may run where module-level names cannot be seen",
        "Move the definition to module level by hand if the file is imported as a module.";
    /// What the definition reads is bound too late, after code that may run it (hazard 39).
    BoundTooLate, "bound-too-late",
        "a name that the definition reads is bound after code that may already need the definition",
        "Move the import or constant to the top of the module.";
    /// No free module-level name was found.
    NoFreeName, "no-free-name",
        "no free name for the definition was found",
        "Rename what takes the typename, or move the definition by hand.";
    /// The text around the call cannot be edited without touching bytes that must stay.
    LayoutNotEditable, "layout-not-editable",
        "the statement cannot be changed without touching text around it",
        "Put the statements around it on lines of their own.";
    /// An own comment cannot be read, names no rule, or stands where it cannot count.
    CommentNotUnderstood, "comment-not-understood",
        "what the `# hoist-namedtuple:` comment is to silence is not certain",
        "Correct the comment, or remove it.";
    /// A comment would move with the call, away from another call that it silences.
    CommentSilencesAnotherCall, "comment-silences-another-call",
        "a comment inside the call silences another call of the statement",
        "Put the comment on the line above the statement.";
    /// A comment that silences nothing is shown by an f-string, declares the encoding, ends a `\` line, or
    /// has a reason that may go on below.
    CommentNotEditable, "comment-not-editable",
        "the comment is tied to the text around it",
        "Remove the comment by hand, and look at what the file does then.";
    /// A proof of the patch failed: a fault of this program.
    VerificationFailed, "verification-failed",
        "the patch did not pass its own proof, so it was withdrawn",
        "Please report this file to the project: it is a fault of hoist-namedtuple.";
}

impl fmt::Display for SkipReason {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.code())
    }
}
