@NullMarked
package io.fairlead.server.paths;

import org.jspecify.annotations.NullMarked;
