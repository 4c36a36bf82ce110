/// A pod from its first sight to its end: what to start, what to kill, when. No threads, no clock
/// of its own.
@NullMarked
package io.fairlead.agent.lifecycle;

import org.jspecify.annotations.NullMarked;
