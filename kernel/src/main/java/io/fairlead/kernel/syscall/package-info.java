/// Calls into the C library through foreign functions: the one place that holds native addresses.
@NullMarked
package io.fairlead.kernel.syscall;

import org.jspecify.annotations.NullMarked;
