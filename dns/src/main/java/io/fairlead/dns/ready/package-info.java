/// Plugin `ready`: says whether the plugins are ready to answer.
///
/// ```
/// ready [ADDRESS] {
///     monitor until-ready|continuously
/// }
/// ```
///
/// `GET /ready` answers 200 `OK`, or 503 with the names of the plugins that are not ready,
/// separated by commas, or 503 `Shutting down`. Unless monitored continuously, a plugin that was
/// ready once is not asked again, with two exceptions: forwarding that was turned off because it
/// leads back here, and `kubernetes` with `max_staleness`.
@NullMarked
package io.fairlead.dns.ready;

import org.jspecify.annotations.NullMarked;
