/// Namespaces, nodes, leases, events, and kinds that say how a cluster schedules, signs and
/// answers.
@NullMarked
package io.fairlead.server.resources.cluster;

import org.jspecify.annotations.NullMarked;
