/// A containerd of the agent's own: its settings, its process, its end.
@NullMarked
package io.fairlead.agent.containerd;

import org.jspecify.annotations.NullMarked;
