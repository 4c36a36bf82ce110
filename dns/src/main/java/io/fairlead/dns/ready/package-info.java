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
/// ready once is not asked again, with one exception: forwarding that was turned off because it
/// leads back here.
@NullMarked
package io.fairlead.dns.ready;

import org.jspecify.annotations.NullMarked;
