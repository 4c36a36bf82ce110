/// Fakes with the semantics of the kernel, for tests here and elsewhere.
@NullMarked
package io.fairlead.policy.testing;

import org.jspecify.annotations.NullMarked;
