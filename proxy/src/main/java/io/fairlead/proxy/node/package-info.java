/// What the proxy knows about its own node.
@NullMarked
package io.fairlead.proxy.node;

import org.jspecify.annotations.NullMarked;
