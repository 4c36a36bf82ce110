/// The ipvs mode: the kernel's load balancer carries the connections, a fixed number of iptables
/// rules and ipsets around it does masquerading and filtering. See the module's README.
@NullMarked
package io.fairlead.proxy.ipvs;

import org.jspecify.annotations.NullMarked;
