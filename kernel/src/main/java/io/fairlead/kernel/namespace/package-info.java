/// Network namespaces: worlds of their own with own interfaces, routes, rules and sockets.
@NullMarked
package io.fairlead.kernel.namespace;

import org.jspecify.annotations.NullMarked;
