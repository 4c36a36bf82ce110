/// How fast pods start.
@NullMarked
package io.fairlead.bench.pods;

import org.jspecify.annotations.NullMarked;
