/// A second Linux for tests of what the machine's own kernel may lack.
@NullMarked
package io.fairlead.kernel.testing;

import org.jspecify.annotations.NullMarked;
