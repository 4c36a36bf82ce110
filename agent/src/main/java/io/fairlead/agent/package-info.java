/// The node agent: wiring of everything that keeps one node's pods running.
@NullMarked
package io.fairlead.agent;

import org.jspecify.annotations.NullMarked;
