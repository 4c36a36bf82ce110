/// What carrying connections in a process costs, against programs made for that.
@NullMarked
package io.fairlead.bench.userspace;

import org.jspecify.annotations.NullMarked;
