/// Endpoints, policies, addresses and other kinds of the network.
@NullMarked
package io.fairlead.server.resources.network;

import org.jspecify.annotations.NullMarked;
