/// Namespaces, nodes and leases.
@NullMarked
package io.fairlead.server.resources.cluster;

import org.jspecify.annotations.NullMarked;
