/// What the kernel is told, so that connections to Services reach this process.
@NullMarked
package io.fairlead.proxy.userspace.rules;

import org.jspecify.annotations.NullMarked;
