/// How far a cluster is with a Service: which versions its nodes' rules show, and waiting for it.
@NullMarked
package io.fairlead.insight.progress;

import org.jspecify.annotations.NullMarked;
