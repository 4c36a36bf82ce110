/// What the kernel's part of a change costs.
@NullMarked
package io.fairlead.bench.rules;

import org.jspecify.annotations.NullMarked;
