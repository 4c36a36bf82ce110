/// Plugin `hosts`: answers from a file like `/etc/hosts`.
///
/// ```
/// hosts [FILE [ZONES...]] {
///     ADDRESS NAME...
///     ttl SECONDS
///     no_reverse
///     reload DURATION
///     fallthrough [ZONES...]
/// }
/// ```
///
/// Addresses, and names of addresses unless `no_reverse`. A leftmost label `*` stands for any one
/// label. Names written in the block come before those of the file. The file is looked at every 5s.
@NullMarked
package io.fairlead.dns.hosts;

import org.jspecify.annotations.NullMarked;
