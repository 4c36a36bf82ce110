/// What the API is told of a pod: container statuses, phase, conditions. Pure.
@NullMarked
package io.fairlead.agent.status;

import org.jspecify.annotations.NullMarked;
