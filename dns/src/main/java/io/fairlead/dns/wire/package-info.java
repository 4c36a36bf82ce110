/// DNS messages as bytes (RFC 1035, 6891): names, records, messages, reading and writing them.
///
/// Bad input gives a [io.fairlead.dns.wire.WireException] and nothing else; no read leaves the
/// bytes handed in.
@NullMarked
package io.fairlead.dns.wire;

import org.jspecify.annotations.NullMarked;
