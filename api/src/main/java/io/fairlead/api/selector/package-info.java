@NullMarked
package io.fairlead.api.selector;

import org.jspecify.annotations.NullMarked;
