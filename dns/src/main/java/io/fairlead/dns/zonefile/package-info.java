/// Records as text: master files (RFC 1035 section 5) and single lines of them.
///
/// Known are the types that people write by hand; any other can be written in the form of RFC 3597,
/// `TYPE999 \# 4 0a000001`.
@NullMarked
package io.fairlead.dns.zonefile;

import org.jspecify.annotations.NullMarked;
