/// What policies mean, without any side effect: readers of the objects, the oracle that decides
/// about one connection by the text of the specification, and the plan that says the same as data
/// for the kernel.
@NullMarked
package io.fairlead.policy.core;

import org.jspecify.annotations.NullMarked;
