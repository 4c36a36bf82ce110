@NullMarked
package io.fairlead.server.limits;

import org.jspecify.annotations.NullMarked;
