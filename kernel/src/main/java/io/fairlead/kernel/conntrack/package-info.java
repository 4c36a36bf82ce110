/// Connection tracking: which connections the kernel knows, and making it forget some.
@NullMarked
package io.fairlead.kernel.conntrack;

import org.jspecify.annotations.NullMarked;
