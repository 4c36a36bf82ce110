/// The only API of the codebase to Linux: system calls, netlink, network namespaces.
@NullMarked
package io.fairlead.kernel;

import org.jspecify.annotations.NullMarked;
