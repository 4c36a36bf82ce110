/// Time and waiting as things that can be handed in, so that tests own them.
@NullMarked
package io.fairlead.client.time;

import org.jspecify.annotations.NullMarked;
