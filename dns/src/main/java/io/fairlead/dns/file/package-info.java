/// Plugin `file`: answers from a zone in a master file (RFC 1035).
///
/// ```
/// file DBFILE [ZONES...] {
///     reload DURATION
///     fallthrough [ZONES...]
/// }
/// ```
///
/// Wildcards, delegations, CNAME and DNAME work as RFC 1034 and RFC 6672 say; aliases that lead out
/// of the zone are followed through the whole server. The file is looked at every minute and taken
/// over when the serial of its SOA record changed. A file that cannot be read leaves the old zone
/// in place. Known directives are `$ORIGIN`, `$TTL`, `$INCLUDE` and `$GENERATE`.
@NullMarked
package io.fairlead.dns.file;

import org.jspecify.annotations.NullMarked;
