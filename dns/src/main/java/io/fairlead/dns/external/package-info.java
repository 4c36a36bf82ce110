/// The `k8s_external` plugin: Services under a zone for the world outside, with the addresses that
/// world can reach (external addresses and those of load balancers).
@NullMarked
package io.fairlead.dns.external;

import org.jspecify.annotations.NullMarked;
