/// Bounds of a request: the size of its body, and its deadline.
@NullMarked
package io.fairlead.server.limits;

import org.jspecify.annotations.NullMarked;
