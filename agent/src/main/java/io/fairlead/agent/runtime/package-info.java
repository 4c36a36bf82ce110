/// The door to whatever runs containers, and what passes through it.
@NullMarked
package io.fairlead.agent.runtime;

import org.jspecify.annotations.NullMarked;
