/// Plugin `k8s_external`: Services under a zone for the world outside, with the addresses that
/// world can reach (external addresses and those of load balancers). README.md beside this file has
/// its options and an example.
@NullMarked
package io.fairlead.dns.external;

import org.jspecify.annotations.NullMarked;
