/// Binds claims to volumes that an administrator made.
@NullMarked
package io.fairlead.controller.volume;

import org.jspecify.annotations.NullMarked;
