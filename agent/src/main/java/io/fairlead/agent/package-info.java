/// The node agent: one worker for each pod of the node, and the wiring of everything they need: the
/// runtimes (built in, CRI or both), the pod network, volumes, probes and reports.
@NullMarked
package io.fairlead.agent;

import org.jspecify.annotations.NullMarked;
