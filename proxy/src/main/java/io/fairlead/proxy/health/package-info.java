/// Whether the proxy works, and where load balancers find out.
@NullMarked
package io.fairlead.proxy.health;

import org.jspecify.annotations.NullMarked;
