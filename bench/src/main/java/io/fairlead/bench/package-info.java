@NullMarked
package io.fairlead.bench;

import org.jspecify.annotations.NullMarked;
