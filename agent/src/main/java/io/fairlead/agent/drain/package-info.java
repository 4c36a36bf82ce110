/// Finding out when no proxy sends new connections to a pod any more.
@NullMarked
package io.fairlead.agent.drain;

import org.jspecify.annotations.NullMarked;
