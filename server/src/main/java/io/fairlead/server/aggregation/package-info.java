/// Aggregated APIs: which versions of which groups other servers serve, whether they can be
/// reached, and what they serve.
@NullMarked
package io.fairlead.server.aggregation;

import org.jspecify.annotations.NullMarked;
