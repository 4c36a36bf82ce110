/// Plugin `header`: sets and clears flags.
///
/// ```
/// header {
///     [query|response] set|clear aa|ra|rd...
/// }
/// ```
@NullMarked
package io.fairlead.dns.header;

import org.jspecify.annotations.NullMarked;
