/// One pod from the moment the agent learns of it to its end: what to start and to stop, when, how
/// connections drain, and what to report to the API. The state machine has no threads and no clock
/// of its own.
@NullMarked
package io.fairlead.agent.lifecycle;

import org.jspecify.annotations.NullMarked;
