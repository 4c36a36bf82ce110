/// Pods and what is done to them: binding, eviction, debugging.
@NullMarked
package io.fairlead.server.resources.pod;

import org.jspecify.annotations.NullMarked;
