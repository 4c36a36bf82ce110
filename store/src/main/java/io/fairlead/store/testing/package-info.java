@NullMarked
package io.fairlead.store.testing;

import org.jspecify.annotations.NullMarked;
