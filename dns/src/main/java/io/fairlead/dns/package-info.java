/// Cluster DNS: names for Services and pods.
@NullMarked
package io.fairlead.dns;

import org.jspecify.annotations.NullMarked;
