/// What decides whether a pod serves a Service: the facts of Services, Pods and Nodes that the
/// endpoint controllers act on, who selects whom, and why a pod is left out.
@NullMarked
package io.fairlead.controller.serving;

import org.jspecify.annotations.NullMarked;
