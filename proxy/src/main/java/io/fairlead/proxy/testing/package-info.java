/// Stand-ins for what the proxy drives, with the same behaviour, for tests of this module and
/// others.
@NullMarked
package io.fairlead.proxy.testing;

import org.jspecify.annotations.NullMarked;
