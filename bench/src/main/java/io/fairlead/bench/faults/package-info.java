/// The faults of `docs/reliability.md`, one by one, at the counts that page names.
@NullMarked
package io.fairlead.bench.faults;

import org.jspecify.annotations.NullMarked;
