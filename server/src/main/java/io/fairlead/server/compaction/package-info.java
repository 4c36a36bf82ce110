/// Keeps the store from growing for ever.
@NullMarked
package io.fairlead.server.compaction;

import org.jspecify.annotations.NullMarked;
