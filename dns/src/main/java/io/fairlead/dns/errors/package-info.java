/// Plugin `errors`: a line on standard output for every query that failed.
///
/// ```
/// errors {
///     consolidate DURATION REGEXP [LEVEL] [show_first]
///     stacktrace
/// }
/// ```
///
/// With `consolidate`, errors whose text matches are counted and told of once per DURATION; with
/// `show_first` the first of them is shown at once.
@NullMarked
package io.fairlead.dns.errors;

import org.jspecify.annotations.NullMarked;
