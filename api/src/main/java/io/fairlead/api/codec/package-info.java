@NullMarked
package io.fairlead.api.codec;

import org.jspecify.annotations.NullMarked;
