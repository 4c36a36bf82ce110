/// Frames of an Ethernet network as they are on the wire: ARP and IPv6 neighbour discovery, read
/// and written by hand, and the sockets that carry them. For answering for addresses that no
/// interface has.
@NullMarked
package io.fairlead.kernel.packet;

import org.jspecify.annotations.NullMarked;
