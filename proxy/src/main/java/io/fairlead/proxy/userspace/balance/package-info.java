/// Which endpoint a connection gets, where that is decided by a program and not by the kernel.
@NullMarked
package io.fairlead.proxy.userspace.balance;

import org.jspecify.annotations.NullMarked;
