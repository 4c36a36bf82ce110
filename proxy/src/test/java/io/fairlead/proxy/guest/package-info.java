/// Runs test classes in a guest whose kernel has what this mode needs.
@NullMarked
package io.fairlead.proxy.guest;

import org.jspecify.annotations.NullMarked;
