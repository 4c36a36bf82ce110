/// What the API server costs.
@NullMarked
package io.fairlead.bench.api;

import org.jspecify.annotations.NullMarked;
