/// Reads containers' logs.
@NullMarked
package io.fairlead.agent.log;

import org.jspecify.annotations.NullMarked;
