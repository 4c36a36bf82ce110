/// Follows one connection through the rules of a node: what the kernel reports, and what that
/// means.
@NullMarked
package io.fairlead.proxy.trace;

import org.jspecify.annotations.NullMarked;
