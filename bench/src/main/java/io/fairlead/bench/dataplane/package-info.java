/// What a connection through a Service costs.
@NullMarked
package io.fairlead.bench.dataplane;

import org.jspecify.annotations.NullMarked;
