/// Netlink: messages made of a header and attributes, sent over a socket to a part of the kernel.
@NullMarked
package io.fairlead.kernel.netlink;

import org.jspecify.annotations.NullMarked;
