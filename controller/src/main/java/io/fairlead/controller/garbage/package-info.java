/// Deletes objects whose owners are gone, holds owners until their dependents are gone, and removes
/// pods that finished or lost their node.
@NullMarked
package io.fairlead.controller.garbage;

import org.jspecify.annotations.NullMarked;
