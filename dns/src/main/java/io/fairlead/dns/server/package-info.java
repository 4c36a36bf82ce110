/// The server around the plugins: listeners, which block answers which question, and the two paths
/// of a query.
///
/// On the **fast path** the thread that received the packet copies the answer into the reply. On
/// the **slow path**, where a chain of plugins may have to wait, a query gets a virtual thread and
/// a permit; without a permit the server sheds it.
@NullMarked
package io.fairlead.dns.server;

import org.jspecify.annotations.NullMarked;
