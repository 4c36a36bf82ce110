/// Brings Services and their claims together again.
@NullMarked
package io.fairlead.server.repair;

import org.jspecify.annotations.NullMarked;
