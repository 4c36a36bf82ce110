/// Plugin `rewrite`: changes questions on their way in and answers on their way out.
///
/// ```
/// rewrite [continue|stop] RULE
/// rewrite [continue|stop] { RULE... }
///
/// name [exact|prefix|suffix|substring|regex] FROM TO [answer auto | answer name|value FROM TO ...]
/// type FROM TO
/// class FROM TO
/// ttl [exact|...] NAME SECONDS | LEAST-MOST
/// cname [exact|...] FROM TO
/// rcode [exact|...] NAME FROM TO
/// edns0 local set|append|replace CODE DATA [revert]
/// edns0 nsid set|append|replace [revert]
/// edns0 subnet set|append|replace IPV4BITS IPV6BITS [revert]
/// edns0 unset local CODE|nsid|subnet
/// ```
///
/// Rules are tried in the order they are written. One that fits ends the search, unless it says
/// `continue`. What rules do to answers is done in the opposite order. An exact name is put back in
/// the answer by itself, so that the client finds what it asked for.
@NullMarked
package io.fairlead.dns.rewrite;

import org.jspecify.annotations.NullMarked;
