@NullMarked
package io.fairlead.api.schema;

import org.jspecify.annotations.NullMarked;
