/// Plugin `acl`: who may ask what.
///
/// ```
/// acl [ZONES...] {
///     allow|block|filter|drop [type TYPE...] [net SOURCE...]
/// }
/// ```
///
/// The first rule that fits decides; without one the query is allowed. `block` answers REFUSED,
/// `filter` answers NOERROR without records, `drop` says nothing.
@NullMarked
package io.fairlead.dns.acl;

import org.jspecify.annotations.NullMarked;
