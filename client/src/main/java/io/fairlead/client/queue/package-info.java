/// Keys of objects that want attention, each once, with patience for those that fail.
@NullMarked
package io.fairlead.client.queue;

import org.jspecify.annotations.NullMarked;
