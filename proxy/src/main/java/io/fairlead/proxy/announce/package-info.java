/// Which node answers for a load balancer address on the network. Every node decides alone, from
/// Leases that all of them see; at most one is sure of an address at any moment.
@NullMarked
package io.fairlead.proxy.announce;

import org.jspecify.annotations.NullMarked;
