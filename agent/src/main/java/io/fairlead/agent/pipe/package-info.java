/// Bytes on their way from one thread to another.
@NullMarked
package io.fairlead.agent.pipe;

import org.jspecify.annotations.NullMarked;
