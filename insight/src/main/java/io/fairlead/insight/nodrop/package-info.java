/// Connections to a Service while something changes: how many were lost, and by what cause.
@NullMarked
package io.fairlead.insight.nodrop;

import org.jspecify.annotations.NullMarked;
