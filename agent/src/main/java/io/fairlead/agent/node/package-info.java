/// The Node object and the heartbeat that keeps it alive.
@NullMarked
package io.fairlead.agent.node;

import org.jspecify.annotations.NullMarked;
