/// The watch cache: every stored object in memory as ready bytes, and the changes since.
@NullMarked
package io.fairlead.server.cache;

import org.jspecify.annotations.NullMarked;
