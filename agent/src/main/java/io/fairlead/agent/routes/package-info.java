/// How packets reach pods of other nodes: host routes or VXLAN tunnels.
@NullMarked
package io.fairlead.agent.routes;

import org.jspecify.annotations.NullMarked;
