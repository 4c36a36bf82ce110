/// The small HTTP pages of `health`, `ready` and `prometheus`.
///
/// Pages at one address share a listener, and a reload puts new pages in place without closing it.
@NullMarked
package io.fairlead.dns.status;

import org.jspecify.annotations.NullMarked;
