/// How long an answer to "why" takes in a large cluster.
@NullMarked
package io.fairlead.bench.explain;

import org.jspecify.annotations.NullMarked;
