/// Binds claims to volumes that an administrator made, and keeps both while they are in use.
@NullMarked
package io.fairlead.controller.volume;

import org.jspecify.annotations.NullMarked;
