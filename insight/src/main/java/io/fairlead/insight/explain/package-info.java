/// Judges evidence about one Service, pod or node: rows in the order a packet needs them, findings,
/// and a verdict. Pure.
@NullMarked
package io.fairlead.insight.explain;

import org.jspecify.annotations.NullMarked;
