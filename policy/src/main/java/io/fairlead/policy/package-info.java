/// NetworkPolicy on a node: decides which connections of its pods are allowed, has the kernel drop
/// the others, and says why.
@NullMarked
package io.fairlead.policy;

import org.jspecify.annotations.NullMarked;
