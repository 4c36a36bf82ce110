/// One archive of what is needed to understand a cluster, without what is secret.
@NullMarked
package io.fairlead.insight.dump;

import org.jspecify.annotations.NullMarked;
