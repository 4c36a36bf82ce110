/// What NetworkPolicy costs.
@NullMarked
package io.fairlead.bench.policy;

import org.jspecify.annotations.NullMarked;
