/// The originals and ours in one cluster: each takes the other's place.
@NullMarked
package io.fairlead.e2e.originals;

import org.jspecify.annotations.NullMarked;
