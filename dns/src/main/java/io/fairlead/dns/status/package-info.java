/// The plugins `health`, `ready` and `prometheus` and the HTTP pages they serve. The page
/// `<plugin>.md` in this directory has the options of each and an example.
///
/// Pages at one address share a listener; a reload replaces the pages without closing it.
@NullMarked
package io.fairlead.dns.status;

import org.jspecify.annotations.NullMarked;
