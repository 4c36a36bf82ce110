/// The node's own server: what runs here, logs, exec, attach, port-forward.
@NullMarked
package io.fairlead.agent.api;

import org.jspecify.annotations.NullMarked;
