/// Watches whether nodes are alive, and takes pods from those that are not.
@NullMarked
package io.fairlead.controller.node;

import org.jspecify.annotations.NullMarked;
