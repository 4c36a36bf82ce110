/// The pod network of one node: addresses, cables, routes, masquerade, and undoing them.
@NullMarked
package io.fairlead.agent.network;

import org.jspecify.annotations.NullMarked;
