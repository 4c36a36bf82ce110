@NullMarked
package io.fairlead.store;

import org.jspecify.annotations.NullMarked;
