/// The control groups that pods' containers live in, and their limits.
@NullMarked
package io.fairlead.agent.cgroup;

import org.jspecify.annotations.NullMarked;
