@NullMarked
package io.fairlead.api.patch;

import org.jspecify.annotations.NullMarked;
