/// Takes away pods that nobody else will.
@NullMarked
package io.fairlead.controller.podgc;

import org.jspecify.annotations.NullMarked;
