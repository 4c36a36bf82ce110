/// The policy component of a node: watches, plans, writes, cuts connections, and says why.
@NullMarked
package io.fairlead.policy.runtime;

import org.jspecify.annotations.NullMarked;
