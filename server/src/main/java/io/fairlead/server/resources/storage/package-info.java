/// Volumes and claims.
@NullMarked
package io.fairlead.server.resources.storage;

import org.jspecify.annotations.NullMarked;
