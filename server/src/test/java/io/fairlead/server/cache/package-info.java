@NullMarked
package io.fairlead.server.cache;

import org.jspecify.annotations.NullMarked;
