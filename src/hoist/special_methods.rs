//! The special methods that operators and statements hand values to (Python data model).

/// They get the other operand of a comparison, or what is looked for.
pub const COMPARING: [&str; 7] = [
    "__eq__",
    "__ne__",
    "__lt__",
    "__le__",
    "__gt__",
    "__ge__",
    "__contains__",
];

/// They get the other operand of `+` and its like.
pub const CALCULATING: [&str; 41] = [
    "__add__",
    "__radd__",
    "__iadd__",
    "__sub__",
    "__rsub__",
    "__isub__",
    "__mul__",
    "__rmul__",
    "__imul__",
    "__matmul__",
    "__rmatmul__",
    "__imatmul__",
    "__truediv__",
    "__rtruediv__",
    "__itruediv__",
    "__floordiv__",
    "__rfloordiv__",
    "__ifloordiv__",
    "__mod__",
    "__rmod__",
    "__imod__",
    "__divmod__",
    "__rdivmod__",
    "__pow__",
    "__rpow__",
    "__ipow__",
    "__lshift__",
    "__rlshift__",
    "__ilshift__",
    "__rshift__",
    "__rrshift__",
    "__irshift__",
    "__and__",
    "__rand__",
    "__iand__",
    "__or__",
    "__ror__",
    "__ior__",
    "__xor__",
    "__rxor__",
    "__ixor__",
];

/// They get a key or an item.
pub const SUBSCRIBING: [&str; 5] = [
    "__class_getitem__",
    "__getitem__",
    "__setitem__",
    "__delitem__",
    "__missing__",
];

/// They get an exception.
pub const LEAVING: [&str; 2] = ["__exit__", "__aexit__"];

/// They get the keywords of a class statement.
pub const CLASS_MAKING: [&str; 4] = ["__init_subclass__", "__new__", "__init__", "__prepare__"];

/// They get the first argument of `isinstance` or `issubclass`.
pub const CLASS_TESTING: [&str; 3] = ["__instancecheck__", "__subclasscheck__", "__subclasshook__"];

/// Their results are texts, numbers or truth values, or are not looked at.
const PLAIN: [&str; 9] = [
    "__init__",
    "__repr__",
    "__str__",
    "__format__",
    "__hash__",
    "__len__",
    "__bool__",
    "__set__",
    "__setattr__",
];

/// Whether the name is that of a method which Python calls for its result: `__iter__`.
#[must_use]
pub fn gives_result(name: &str) -> bool {
    let is_special = name.len() > 4 && name.starts_with("__") && name.ends_with("__");
    let plain: [&[&str]; 5] = [&PLAIN, &COMPARING, &CLASS_TESTING, &LEAVING, &CLASS_MAKING];
    is_special && (name == "__new__" || !plain.iter().any(|names| names.contains(&name)))
}
