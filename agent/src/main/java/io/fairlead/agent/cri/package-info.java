/// Containers from images: an engine that speaks CRI v1 over a socket of the machine, the control
/// groups of its pods, and streams into its containers. The messages are generated from
/// `src/main/proto`.
@NullMarked
package io.fairlead.agent.cri;

import org.jspecify.annotations.NullMarked;
