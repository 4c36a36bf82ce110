@NullMarked
package io.fairlead.store.expiry;

import org.jspecify.annotations.NullMarked;
