/// `fairlead up` with everything, on a machine of its own: a network namespace.
@NullMarked
package io.fairlead.e2e.up;

import org.jspecify.annotations.NullMarked;
