/// What all controllers share: workers, and the loop from key to done.
@NullMarked
package io.fairlead.controller.runtime;

import org.jspecify.annotations.NullMarked;
