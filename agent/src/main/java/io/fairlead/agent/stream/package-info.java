/// What goes on between a user's terminal and a container: exec, attach, port-forward, over
/// WebSocket and over SPDY.
@NullMarked
package io.fairlead.agent.stream;

import org.jspecify.annotations.NullMarked;
