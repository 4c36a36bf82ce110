/// Benchmarks of load balancer addresses.
@NullMarked
package io.fairlead.bench.loadbalancer;

import org.jspecify.annotations.NullMarked;
