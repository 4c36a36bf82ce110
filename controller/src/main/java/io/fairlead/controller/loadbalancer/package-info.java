/// Gives Services of type LoadBalancer their addresses: which one is decided in memory, by
/// [BalancerAddressTable]; the controller around it reads objects and writes statuses.
@NullMarked
package io.fairlead.controller.loadbalancer;

import org.jspecify.annotations.NullMarked;
