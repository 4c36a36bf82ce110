/// Plugin `bind`: listens on some addresses only.
///
/// ```
/// bind ADDRESS|INTERFACE... {
///     except ADDRESS|INTERFACE...
/// }
/// ```
///
/// An interface stands for all its addresses. Several lines add up.
@NullMarked
package io.fairlead.dns.bind;

import org.jspecify.annotations.NullMarked;
