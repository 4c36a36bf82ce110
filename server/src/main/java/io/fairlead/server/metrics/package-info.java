@NullMarked
package io.fairlead.server.metrics;

import org.jspecify.annotations.NullMarked;
