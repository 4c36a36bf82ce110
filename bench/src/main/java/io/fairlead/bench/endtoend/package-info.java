/// Everything of `fairlead up` on a machine of its own, with clients that ask it all the time.
@NullMarked
package io.fairlead.bench.endtoend;

import org.jspecify.annotations.NullMarked;
