/// Interfaces, addresses, routes, routing rules and neighbours over netlink, events about
/// addresses, and filters for the sockets that wait for them.
@NullMarked
package io.fairlead.kernel.route;

import org.jspecify.annotations.NullMarked;
