/// Plugin `prometheus`: shows what the server counts.
///
/// ```
/// prometheus [ADDRESS]
/// ```
///
/// `GET /metrics` at that address, `localhost:9153` unless given. Names and labels are CoreDNS's.
@NullMarked
package io.fairlead.dns.prometheus;

import org.jspecify.annotations.NullMarked;
