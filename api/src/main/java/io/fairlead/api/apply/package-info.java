@NullMarked
package io.fairlead.api.apply;

import org.jspecify.annotations.NullMarked;
