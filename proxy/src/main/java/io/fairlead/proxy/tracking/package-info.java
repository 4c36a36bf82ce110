/// From the objects of the API to plans: what is read of them, and what has changed since the last
/// plan.
@NullMarked
package io.fairlead.proxy.tracking;

import org.jspecify.annotations.NullMarked;
