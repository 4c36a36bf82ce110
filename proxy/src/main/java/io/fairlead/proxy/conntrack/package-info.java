/// Connections the kernel remembers although their endpoint is gone.
@NullMarked
package io.fairlead.proxy.conntrack;

import org.jspecify.annotations.NullMarked;
