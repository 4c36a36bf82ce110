/// The pools that load balancer addresses come from: their text forms and what makes one unusable.
/// The controller that gives the addresses out and the announcers on the nodes read the same pools.
@NullMarked
package io.fairlead.api.loadbalancer;

import org.jspecify.annotations.NullMarked;
