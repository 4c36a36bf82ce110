@NullMarked
package io.fairlead.server.stream;

import org.jspecify.annotations.NullMarked;
