/// A runtime without an engine: workloads of our own catalogue, each pod in its own network
/// namespace.
@NullMarked
package io.fairlead.agent.builtin;

import org.jspecify.annotations.NullMarked;
