/// The server around the plugins: listeners, which block answers which question, and the two ways a
/// question goes.
///
/// **Ready answers** are copied by the thread that received the packet. Everything else, which may
/// have to wait for others, gets a virtual thread and a permit; without a permit it is shed.
@NullMarked
package io.fairlead.dns.server;

import org.jspecify.annotations.NullMarked;
