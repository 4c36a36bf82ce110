/// The kernel's load balancer, IPVS: virtual servers, the real servers behind them, timeouts and
/// counters, over generic netlink. Numbers are those of `linux/ip_vs.h`.
@NullMarked
package io.fairlead.kernel.ipvs;

import org.jspecify.annotations.NullMarked;
