/// How requests reach a server: over `java.net.http`, over one blocking socket, or not at all (the
/// fake in `io.fairlead.client.testing`).
@NullMarked
package io.fairlead.client.transport;

import org.jspecify.annotations.NullMarked;
