/// Places to measure at: namespaces with a client, a node and pods, and the Services there.
@NullMarked
package io.fairlead.bench.testbed;

import org.jspecify.annotations.NullMarked;
