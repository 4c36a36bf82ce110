@NullMarked
package io.fairlead.app;

import org.jspecify.annotations.NullMarked;
