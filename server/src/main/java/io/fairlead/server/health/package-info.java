@NullMarked
package io.fairlead.server.health;

import org.jspecify.annotations.NullMarked;
