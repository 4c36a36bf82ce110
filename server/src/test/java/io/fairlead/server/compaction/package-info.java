@NullMarked
package io.fairlead.server.compaction;

import org.jspecify.annotations.NullMarked;
