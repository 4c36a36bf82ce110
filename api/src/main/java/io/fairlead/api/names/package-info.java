@NullMarked
package io.fairlead.api.names;

import org.jspecify.annotations.NullMarked;
