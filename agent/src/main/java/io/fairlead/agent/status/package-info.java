/// What the agent reports of a pod to the API: container statuses, phase, conditions. Pure.
@NullMarked
package io.fairlead.agent.status;

import org.jspecify.annotations.NullMarked;
