/// Devices that pods ask for.
@NullMarked
package io.fairlead.server.resources.devices;

import org.jspecify.annotations.NullMarked;
