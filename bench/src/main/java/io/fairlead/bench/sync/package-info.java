/// From a change in the API to the first packet.
@NullMarked
package io.fairlead.bench.sync;

import org.jspecify.annotations.NullMarked;
