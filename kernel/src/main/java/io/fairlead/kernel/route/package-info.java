/// Interfaces, addresses, routes and routing rules over netlink.
@NullMarked
package io.fairlead.kernel.route;

import org.jspecify.annotations.NullMarked;
