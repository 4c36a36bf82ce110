/// The userspace mode: this process itself accepts clients' connections and carries their bytes.
@NullMarked
package io.fairlead.proxy.userspace;

import org.jspecify.annotations.NullMarked;
