@NullMarked
package io.fairlead.store.watch;

import org.jspecify.annotations.NullMarked;
