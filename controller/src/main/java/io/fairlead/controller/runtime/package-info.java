/// What all controllers share: informers, workers, and the loop that reconciles keys.
@NullMarked
package io.fairlead.controller.runtime;

import org.jspecify.annotations.NullMarked;
