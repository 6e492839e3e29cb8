//! Selectors of fields, patterns and times.

use etwkit::output::Column;
use etwkit::select::Selector;
use etwkit::trace::Glob;

/// What reads as a selector prints as one that means the same. A pattern that matches a text matches it whatever the
/// case of its letters.
pub fn selectors(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    if let Ok(selector) = text.parse::<Selector>() {
        let printed = selector.to_string();
        assert!(!Column::Named(selector.clone()).name().is_empty() || printed.is_empty());
        match printed.parse::<Selector>() {
            Ok(again) => assert!(again.means(&selector), "{printed}"),
            Err(error) => panic!("{printed}: {error}"),
        }
    }
    if let Some((pattern, text)) = text.split_once('\n') {
        let glob = Glob::new(pattern);
        assert_eq!(glob.matches(&text.to_ascii_lowercase()), glob.matches(&text.to_ascii_uppercase()));
    }
}
