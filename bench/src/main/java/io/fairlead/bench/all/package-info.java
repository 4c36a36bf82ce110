/// All benchmarks that have an original beside them, in parts that can be run one by one, and the
/// page that shows what came of it.
@NullMarked
package io.fairlead.bench.all;

import org.jspecify.annotations.NullMarked;
