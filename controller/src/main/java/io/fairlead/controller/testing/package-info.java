/// Plays recorded histories of Services and pods against any API server and compares what the
/// controllers make of them with what those of Kubernetes made.
@NullMarked
package io.fairlead.controller.testing;

import org.jspecify.annotations.NullMarked;
