@NullMarked
package io.fairlead.schema;

import org.jspecify.annotations.NullMarked;
