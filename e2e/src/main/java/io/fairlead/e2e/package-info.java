@NullMarked
package io.fairlead.e2e;

import org.jspecify.annotations.NullMarked;
