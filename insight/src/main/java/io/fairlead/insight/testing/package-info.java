/// Prepared answers in place of a cluster.
@NullMarked
package io.fairlead.insight.testing;

import org.jspecify.annotations.NullMarked;
