/// Tells the API: statuses, events, the end of pods.
@NullMarked
package io.fairlead.agent.report;

import org.jspecify.annotations.NullMarked;
