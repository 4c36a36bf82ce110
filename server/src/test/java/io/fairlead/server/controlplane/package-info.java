@NullMarked
package io.fairlead.server.controlplane;

import org.jspecify.annotations.NullMarked;
