/// What a server does for the cluster by itself, beside requests: the objects every cluster has
/// ([Bootstrap]), the Service `kubernetes` with the servers that are alive as its endpoints, the
/// repair of claimed addresses and node ports, and compaction.
@NullMarked
package io.fairlead.server.controlplane;

import org.jspecify.annotations.NullMarked;
