/// Whether a whole node is as it should be. Evidence in, findings out.
@NullMarked
package io.fairlead.insight.verify;

import org.jspecify.annotations.NullMarked;
