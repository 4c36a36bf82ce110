/// Pods run: an API server, controllers and a node that is a network namespace.
@NullMarked
package io.fairlead.e2e.agent;

import org.jspecify.annotations.NullMarked;
