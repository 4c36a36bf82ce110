@NullMarked
package io.fairlead.server.allocation;

import org.jspecify.annotations.NullMarked;
