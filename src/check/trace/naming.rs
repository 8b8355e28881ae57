//! The names that were tried for a definition, and why each was not free.

use super::words::counted;
use super::{Label, Lines, Tracer};
use crate::hoist::group::{DefinitionSource, Group};
use crate::hoist::name::{Namer, Places, Taken, Tried};
use crate::hoist::site::Site;
use crate::python::semantic::BindingKind;

/// Tried names that are shown.
const MAX_TRIED: usize = 8;

impl<'a> Tracer<'_, 'a> {
    /// Says which names were tried for a definition that found none.
    pub(super) fn no_free_name(&self, site: &Site<'a>, lines: &mut Lines) {
        let Some(typename) = &site.judgement.typename else {
            return;
        };
        let module = self.inquiry.module;
        let mut namer = Namer::new(module, self.inquiry.facts, self.inquiry.surroundings);
        let places = Places {
            uses: &[],
            dropped: &[],
        };
        let (_, tried) = namer.choose(None, typename, 1, places);
        self.tried(&tried, lines);
    }

    /// Says which names were tried, and which one is taken.
    pub(super) fn name(&self, group: &Group, lines: &mut Lines) {
        if let DefinitionSource::Reused(statement) = group.source {
            lines.say(
                Label::Name,
                format!(
                    "`{}` is the equal definition in row {}, so no new name is needed.",
                    group.name,
                    self.words().row_of(statement)
                ),
            );
            return;
        }
        self.tried(&group.tried, lines);
        lines.say(Label::Name, format!("`{}` is free.", group.name));
    }

    fn tried(&self, tried: &[Tried], lines: &mut Lines) {
        for Tried { name, taken } in tried.iter().take(MAX_TRIED) {
            let why = self.taken(*taken);
            lines.say(Label::Name, format!("`{name}` is not free: {why}."));
        }
        let more = tried.len().saturating_sub(MAX_TRIED);
        if more > 0 {
            lines.say(
                Label::Name,
                format!(
                    "{} not free either.",
                    counted(more, "further name") + if more == 1 { " is" } else { " are" }
                ),
            );
        }
    }

    fn taken(&self, taken: Taken) -> String {
        let words = self.words();
        match taken {
            Taken::Unusable(why) => format!("it {why}"),
            Taken::Chosen => "another definition or import of this fix takes it".to_owned(),
            Taken::StarImport => "a star import may bring it".to_owned(),
            Taken::Submodule => "it is a submodule of the package".to_owned(),
            Taken::Bound(binding) => format!("the module binds it {}", words.bound(binding)),
            Taken::Declared => "a function declares it `global`".to_owned(),
            Taken::ReadAsGlobal(node) => format!(
                "it is read at {} as a global that the module does not bind",
                words.at(node)
            ),
            Taken::ReadInString => "code in a string reads it".to_owned(),
            Taken::ReadInClassBody => {
                "a class body reads it that may not have bound it yet".to_owned()
            }
            Taken::Captured(binding) => {
                let bound = words.module.model.binding(binding);
                let scope = match bound.kind {
                    BindingKind::Parameter => String::new(),
                    _ => format!(", in {}", words.scope(bound.scope)),
                };
                format!(
                    "it is bound {}{scope}, which hides it from a use",
                    words.bound(binding)
                )
            }
        }
    }
}
