/// Numbers about a node and its pods.
@NullMarked
package io.fairlead.agent.stats;

import org.jspecify.annotations.NullMarked;
