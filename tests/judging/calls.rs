//! Many calls of each factory: every argument of it in every form, good and bad.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// One call of a factory.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct Call {
    /// The statements above it.
    pub(crate) head: String,
    /// The call.
    pub(crate) call: String,
    /// Where the class keeps the names of its fields.
    pub(crate) kind: String,
    /// The first minor version of Python 3 that has all that it names.
    pub(crate) since: u32,
}

/// `calls.toml`.
#[derive(Deserialize)]
#[serde(rename_all = "kebab-case")]
struct Parts {
    names: Vec<String>,
    fields: Vec<String>,
    values: Vec<String>,
    newer_values: BTreeMap<String, Vec<String>>,
    factories: Vec<Factory>,
}

/// One factory with the ways to call it.
#[derive(Deserialize)]
struct Factory {
    imports: String,
    since: Option<u32>,
    callee: String,
    /// Where its classes keep the names of their fields.
    kind: String,
    /// A value that is right beside a name.
    usual: String,
    /// Fields that are right.
    plain: String,
    forms: Vec<String>,
    options: Vec<String>,
}

/// The names that calls read.
const HEAD: &str = "\
import collections
import collections.abc
import datetime
import decimal
import enum
import os
import re
import typing
import uuid
from collections import deque
from decimal import Decimal
from typing import (
    Any, AnyStr, Callable, ClassVar, Dict, Final, Generic, Hashable, List, Literal, NoReturn,
    Optional, Sequence, Text, Tuple, Type, Union,
)

FINE = ('x', 'y')
NUMBER = 1
TEXT = 'x y'
Alias = Dict[str, Any]


class Mine:
    pass


def function():
    pass


";

/// The calls of all factories.
pub(crate) fn all() -> Vec<Call> {
    let parts: Parts = toml::from_str(include_str!("calls.toml")).unwrap();
    let factories = parts.factories.iter();
    factories
        .flat_map(|factory| factory.calls(&parts))
        .collect()
}

impl Factory {
    fn calls(&self, parts: &Parts) -> Vec<Call> {
        let mut arguments = BTreeMap::new();
        for (at, form) in self.forms.iter().enumerate() {
            for name in &parts.names {
                arguments.insert(form.replace("$N", name).replace("$F", &self.plain), 8);
            }
            let names = if at == 0 {
                parts.names.as_slice()
            } else {
                &parts.names[..1]
            };
            for fields in &parts.fields {
                for name in names {
                    let fields = fields.replace('@', name);
                    arguments.insert(form.replace("$N", "'P'").replace("$F", &fields), 8);
                }
            }
        }
        let filled = arguments.into_iter();
        let mut arguments: BTreeMap<_, _> = filled
            .map(|(text, since)| (text.replace('#', &self.usual), since))
            .collect();
        let newer = parts.newer_values.iter();
        let newer = newer.map(|(since, values)| (since.parse().unwrap(), values));
        for (since, values) in newer.chain([(8, &parts.values)]) {
            for value in values {
                let options = self.options.iter();
                arguments.extend(options.map(|option| (option.replace('#', value), since)));
            }
        }
        let call = |(arguments, since): (String, u32)| Call {
            head: format!("{}\n{HEAD}", self.imports),
            call: format!("{}({arguments})", self.callee),
            kind: self.kind.clone(),
            since: since.max(self.since.unwrap_or(8)),
        };
        arguments.into_iter().map(call).collect()
    }
}
