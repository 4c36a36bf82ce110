@NullMarked
package io.fairlead.api.json;

import org.jspecify.annotations.NullMarked;
