@NullMarked
package io.fairlead.server.bootstrap;

import org.jspecify.annotations.NullMarked;
