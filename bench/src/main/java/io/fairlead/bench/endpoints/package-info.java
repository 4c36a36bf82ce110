/// How fast endpoints follow pods, and what that costs.
@NullMarked
package io.fairlead.bench.endpoints;

import org.jspecify.annotations.NullMarked;
