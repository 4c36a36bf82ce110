/// The whole way from a change of a pod to its packets: see [ChainBench].
@NullMarked
package io.fairlead.bench.chain;

import org.jspecify.annotations.NullMarked;
