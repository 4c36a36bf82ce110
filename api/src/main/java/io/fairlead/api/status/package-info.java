@NullMarked
package io.fairlead.api.status;

import org.jspecify.annotations.NullMarked;
