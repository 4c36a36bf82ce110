/// Changes as components record them when they happen: a bounded ring for each recorder.
@NullMarked
package io.fairlead.api.changes;

import org.jspecify.annotations.NullMarked;
