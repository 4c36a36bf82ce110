/// Events, in the two shapes in which they are read and written.
@NullMarked
package io.fairlead.server.resources.event;

import org.jspecify.annotations.NullMarked;
