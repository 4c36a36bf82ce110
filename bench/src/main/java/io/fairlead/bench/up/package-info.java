/// How long it takes from nothing to an answer through a Service, and what rest costs.
@NullMarked
package io.fairlead.bench.up;

import org.jspecify.annotations.NullMarked;
