/// Live values: topics, what changed in them, and the event streams that carry it.
@NullMarked
package io.fairlead.ui.stream;

import org.jspecify.annotations.NullMarked;
