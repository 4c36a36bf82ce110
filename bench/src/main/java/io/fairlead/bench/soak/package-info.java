/// Whether everything holds for long: see [SoakBench].
@NullMarked
package io.fairlead.bench.soak;

import org.jspecify.annotations.NullMarked;
