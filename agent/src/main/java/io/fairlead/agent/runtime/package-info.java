/// The interface to what runs containers, and its values.
@NullMarked
package io.fairlead.agent.runtime;

import org.jspecify.annotations.NullMarked;
