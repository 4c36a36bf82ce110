@NullMarked
package io.fairlead.api.yaml;

import org.jspecify.annotations.NullMarked;
