@NullMarked
package io.fairlead.server;

import org.jspecify.annotations.NullMarked;
