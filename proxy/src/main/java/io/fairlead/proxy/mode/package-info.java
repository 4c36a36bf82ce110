/// Which modes there are on this machine, and how each is opened and removed.
@NullMarked
package io.fairlead.proxy.mode;

import org.jspecify.annotations.NullMarked;
