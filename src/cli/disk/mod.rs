//! Files as bytes: reading, decoding, comparing and replacing them.

pub(crate) mod attributes;
pub(crate) mod cookie;
pub(crate) mod decode;
pub(crate) mod diff;
pub(crate) mod first_look;
pub(crate) mod interrupt;
pub(crate) mod lock;
pub(crate) mod report_file;
pub(crate) mod small_file;
pub(crate) mod surroundings;
pub(crate) mod temporary;
pub(crate) mod write;
