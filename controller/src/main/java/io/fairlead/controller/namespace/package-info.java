/// Empties a namespace that is being deleted, then lets it go.
@NullMarked
package io.fairlead.controller.namespace;

import org.jspecify.annotations.NullMarked;
