/// The Java client most people use, against our server.
@NullMarked
package io.fairlead.e2e.fabric8;

import org.jspecify.annotations.NullMarked;
