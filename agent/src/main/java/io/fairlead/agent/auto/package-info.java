/// Several runtimes behind one door: which one runs a pod.
@NullMarked
package io.fairlead.agent.auto;

import org.jspecify.annotations.NullMarked;
