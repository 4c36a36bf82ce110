/// Which packets a socket hears at all, decided by the kernel.
@NullMarked
package io.fairlead.kernel.filter;

import org.jspecify.annotations.NullMarked;
