/// The embedded engine: SQLite as the log, an index in memory, one writer with group commit.
@NullMarked
package io.fairlead.store.embedded;

import org.jspecify.annotations.NullMarked;
