/// Addresses that this machine has for itself and its pods.
@NullMarked
package io.fairlead.app.loopback;

import org.jspecify.annotations.NullMarked;
