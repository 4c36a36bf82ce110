/// An instance with its node in a lab of its own, held by another process that connects into it.
@NullMarked
package io.fairlead.app.lab;

import org.jspecify.annotations.NullMarked;
