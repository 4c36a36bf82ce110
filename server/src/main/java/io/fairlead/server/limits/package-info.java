/// Bounds of a request: the size of its body, how many run at once, and its deadline.
@NullMarked
package io.fairlead.server.limits;

import org.jspecify.annotations.NullMarked;
