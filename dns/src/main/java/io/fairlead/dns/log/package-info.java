/// Plugin `log`: a line on standard output for every query.
///
/// ```
/// log [NAMES...] [FORMAT] {
///     class success|denial|error|all...
///     minDuration DURATION
/// }
/// ```
///
/// FORMAT is text with placeholders such as `{name}` or `{>id}`, or `{common}` or `{combined}`.
/// Lines that come faster than they can be written are dropped and counted.
@NullMarked
package io.fairlead.dns.log;

import org.jspecify.annotations.NullMarked;
