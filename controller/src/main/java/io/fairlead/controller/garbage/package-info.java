/// Deletes what nobody owns any more, and holds owners until their dependents are gone.
@NullMarked
package io.fairlead.controller.garbage;

import org.jspecify.annotations.NullMarked;
