/// What a proxy shows of itself: its health and readiness, its metrics, and the health servers of
/// Services that load balancers ask.
@NullMarked
package io.fairlead.proxy.monitoring;

import org.jspecify.annotations.NullMarked;
