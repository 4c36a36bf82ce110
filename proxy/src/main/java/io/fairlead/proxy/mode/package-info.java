/// The modes: which can be used on this machine, how each is opened and removed, and how a running
/// proxy changes from one to another, with the socket through which `fairlead mode` asks for that.
@NullMarked
package io.fairlead.proxy.mode;

import org.jspecify.annotations.NullMarked;
