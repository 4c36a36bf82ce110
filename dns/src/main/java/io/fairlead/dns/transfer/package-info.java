/// Plugin `transfer`: gives whole zones to other servers.
///
/// ```
/// transfer [ZONES...] {
///     to ADDRESS[:PORT]|*...
/// }
/// ```
///
/// AXFR over TCP sends the zone between two copies of its SOA record; IXFR sends the SOA alone when
/// the client is up to date and the whole zone otherwise. Who may ask is listed with `to`.
/// Addresses listed there are told (NOTIFY) when a zone from a file changes.
@NullMarked
package io.fairlead.dns.transfer;

import org.jspecify.annotations.NullMarked;
