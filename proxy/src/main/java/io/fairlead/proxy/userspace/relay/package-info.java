/// Carries bytes between clients and endpoints: few threads, thousands of sockets.
@NullMarked
package io.fairlead.proxy.userspace.relay;

import org.jspecify.annotations.NullMarked;
