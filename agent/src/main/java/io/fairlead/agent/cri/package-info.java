/// Containers from images: an engine that speaks CRI v1 over a socket of the machine.
@NullMarked
package io.fairlead.agent.cri;

import org.jspecify.annotations.NullMarked;
