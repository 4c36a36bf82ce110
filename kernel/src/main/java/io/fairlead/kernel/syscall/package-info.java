/// Calls into the C library through foreign functions, the one place that holds native addresses:
/// files and events, sockets with and without blocking, epoll, network namespaces, pseudo
/// terminals.
@NullMarked
package io.fairlead.kernel.syscall;

import org.jspecify.annotations.NullMarked;
