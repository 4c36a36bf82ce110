/// Pods as the agent reads them: the fields it acts on, parsed once.
@NullMarked
package io.fairlead.agent.pod;

import org.jspecify.annotations.NullMarked;
