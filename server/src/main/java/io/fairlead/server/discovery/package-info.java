@NullMarked
package io.fairlead.server.discovery;

import org.jspecify.annotations.NullMarked;
