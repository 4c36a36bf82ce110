@NullMarked
package io.fairlead.api.quantity;

import org.jspecify.annotations.NullMarked;
