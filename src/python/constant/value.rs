//! The values that an argument can be shown to have before the program runs.

/// The largest value that is computed, in elements and string bytes taken together.
///
/// Names can refer to each other, so a few lines can describe a value of any size.
const LARGEST: usize = 100_000;

/// A value that an expression always has.
///
/// Two values are equal only if one can stand for the other: `1`, `True` and `1.0` differ, and so
/// do `0.0` and `-0.0`.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Value {
    /// `None`.
    None,
    /// `True` or `False`.
    Bool(bool),
    /// An integer that fits.
    Int(i128),
    /// The bits of a float.
    Float(u64),
    /// The bits of a complex number's parts.
    Complex(u64, u64),
    /// A `bytes` object.
    Bytes(Vec<u8>),
    /// `...`.
    Ellipsis,
    /// A string without lone surrogates.
    Str(String),
    /// A tuple.
    Tuple(Vec<Value>),
    /// A fresh list.
    List(Vec<Value>),
    /// A fresh set, in source order.
    Set(Vec<Value>),
    /// A fresh dictionary, in insertion order; equal keys may stand in it twice.
    Dict(Vec<(Value, Value)>),
    /// A constant object whose value is not known here. Equal symbols are the same object: a
    /// name or dotted name of the module, the digits of a huge integer, or a place in the source.
    Opaque(String),
}

impl Value {
    /// The value of a float literal or operation.
    #[must_use]
    pub fn float(value: f64) -> Self {
        Value::Float(value.to_bits())
    }

    /// Whether it is, or keeps, an object that is made anew each time and can be changed.
    #[must_use]
    pub fn is_fresh_mutable(&self) -> bool {
        match self {
            Value::List(_) | Value::Set(_) | Value::Dict(_) => true,
            Value::Tuple(elements) => elements.iter().any(Value::is_fresh_mutable),
            _ => false,
        }
    }

    /// Whether `hash()` of it raises: a list, set or dictionary, also inside a tuple.
    #[must_use]
    pub fn is_unhashable(&self) -> bool {
        self.is_fresh_mutable()
    }

    /// Whether `bool()` of it is `True`, if that is known.
    #[must_use]
    pub fn truth(&self) -> Option<bool> {
        Some(match self {
            Value::None => false,
            Value::Bool(value) => *value,
            Value::Int(value) => *value != 0,
            Value::Float(bits) => f64::from_bits(*bits) != 0.0,
            Value::Complex(real, imaginary) => {
                f64::from_bits(*real) != 0.0 || f64::from_bits(*imaginary) != 0.0
            }
            Value::Bytes(bytes) => !bytes.is_empty(),
            Value::Ellipsis => true,
            Value::Str(text) => !text.is_empty(),
            Value::Tuple(elements) | Value::List(elements) | Value::Set(elements) => {
                !elements.is_empty()
            }
            Value::Dict(items) => !items.is_empty(),
            Value::Opaque(_) => return None,
        })
    }

    /// `len()` of it, if it has a length that is known.
    #[must_use]
    pub fn length(&self) -> Option<usize> {
        match self {
            Value::Str(text) => Some(text.chars().count()),
            Value::Bytes(bytes) => Some(bytes.len()),
            Value::Tuple(elements) | Value::List(elements) => Some(elements.len()),
            // Elements may be equal, and what is equal to what is Python's business.
            Value::Set(elements) if elements.len() <= 1 => Some(elements.len()),
            Value::Dict(items) if items.len() <= 1 => Some(items.len()),
            _ => None,
        }
    }

    /// What iterating over it gives.
    #[must_use]
    pub fn elements(&self) -> Elements {
        match self {
            Value::Tuple(elements) | Value::List(elements) => Elements::Known(elements.clone()),
            Value::Str(text) => Elements::Known(
                text.chars()
                    .map(|char| Value::Str(char.to_string()))
                    .collect(),
            ),
            Value::Bytes(bytes) => Elements::Known(
                bytes
                    .iter()
                    .map(|byte| Value::Int(i128::from(*byte)))
                    .collect(),
            ),
            Value::Set(elements) if elements.len() <= 1 => Elements::Known(elements.clone()),
            Value::Set(_) => Elements::Unordered,
            Value::Dict(items) => distinct_keys(items).map_or(Elements::Unknown, Elements::Known),
            Value::Opaque(_) => Elements::Unknown,
            Value::None
            | Value::Bool(_)
            | Value::Int(_)
            | Value::Float(_)
            | Value::Complex(..)
            | Value::Ellipsis => Elements::NotIterable,
        }
    }

    /// Python's name for its type, for messages.
    #[must_use]
    pub fn type_name(&self) -> &'static str {
        match self {
            Value::None => "NoneType",
            Value::Bool(_) => "bool",
            Value::Int(_) => "int",
            Value::Float(_) => "float",
            Value::Complex(..) => "complex",
            Value::Bytes(_) => "bytes",
            Value::Ellipsis => "ellipsis",
            Value::Str(_) => "str",
            Value::Tuple(_) => "tuple",
            Value::List(_) => "list",
            Value::Set(_) => "set",
            Value::Dict(_) => "dict",
            Value::Opaque(_) => "object",
        }
    }

    /// Whether it is too large to be worth computing with.
    pub(super) fn is_too_large(&self) -> bool {
        let mut left = LARGEST;
        !self.spend(&mut left)
    }

    /// Takes the size of this from `left`; `false` when it does not suffice.
    fn spend(&self, left: &mut usize) -> bool {
        let own = match self {
            Value::Str(text) | Value::Opaque(text) => text.len() + 1,
            Value::Bytes(bytes) => bytes.len() + 1,
            _ => 1,
        };
        let Some(rest) = left.checked_sub(own) else {
            return false;
        };
        *left = rest;
        match self {
            Value::Tuple(elements) | Value::List(elements) | Value::Set(elements) => {
                elements.iter().all(|element| element.spend(left))
            }
            Value::Dict(items) => items
                .iter()
                .all(|(key, value)| key.spend(left) && value.spend(left)),
            _ => true,
        }
    }
}

/// What iterating over a value gives.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Elements {
    /// These, in this order.
    Known(Vec<Value>),
    /// Several elements of a set, in an order that differs between runs.
    Unordered,
    /// It is not known.
    Unknown,
    /// A `TypeError`.
    NotIterable,
}

/// The keys of a dictionary in order, or `None` when their equality is not simply that of strings.
fn distinct_keys(items: &[(Value, Value)]) -> Option<Vec<Value>> {
    let mut keys: Vec<Value> = Vec::new();
    for (key, _) in items {
        if items.len() > 1 && !matches!(key, Value::Str(_)) {
            return None;
        }
        if !keys.contains(key) {
            keys.push(key.clone());
        }
    }
    Some(keys)
}
