/// A runtime without a kernel, for tests.
@NullMarked
package io.fairlead.agent.testing;

import org.jspecify.annotations.NullMarked;
