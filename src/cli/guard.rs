//! A fault of this program in one file must not stop the others: panics are caught and told.

use std::cell::{Cell, RefCell};
use std::panic::{self, AssertUnwindSafe};

use super::paths::single_line;

thread_local! {
    static IS_GUARDED: Cell<bool> = const { Cell::new(false) };
    static FAULT: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// Keeps what a guarded panic says for [`guarded`], in place of printing it.
pub(crate) fn install_hook() {
    let default = panic::take_hook();
    panic::set_hook(Box::new(move |info| {
        if IS_GUARDED.get() {
            FAULT.set(Some(info.to_string()));
        } else {
            default(info);
        }
    }));
}

/// Runs `job`; a panic in it becomes a sentence that asks for a report.
///
/// # Errors
/// That sentence.
pub(crate) fn guarded<R>(job: impl FnOnce() -> R) -> Result<R, String> {
    IS_GUARDED.set(true);
    let result = panic::catch_unwind(AssertUnwindSafe(job));
    IS_GUARDED.set(false);
    result.map_err(|_| {
        let fault = FAULT.take().unwrap_or_else(|| "no details".to_owned());
        format!(
            "internal error ({}). Nothing was changed; please report it with this file.",
            single_line(&fault)
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_becomes_a_sentence() {
        assert_eq!(guarded(|| 1), Ok(1));
        let fault = guarded(|| panic!("on purpose")).unwrap_err();
        assert!(fault.contains("please report it"), "{fault}");
    }
}
