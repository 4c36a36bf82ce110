/// Says why a Service does or does not reach its pods: gathers evidence and judges it.
@NullMarked
package io.fairlead.insight;

import org.jspecify.annotations.NullMarked;
