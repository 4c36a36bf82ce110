/// Which node a pod may be on: labels, taints and what stands against them.
@NullMarked
package io.fairlead.controller.placement;

import org.jspecify.annotations.NullMarked;
