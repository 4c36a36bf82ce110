/// Startup, liveness and readiness: when to ask, what the answers mean, and asking.
@NullMarked
package io.fairlead.agent.probe;

import org.jspecify.annotations.NullMarked;
