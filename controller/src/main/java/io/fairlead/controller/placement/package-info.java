/// Which node a pod may be on: labels, taints and tolerations.
@NullMarked
package io.fairlead.controller.placement;

import org.jspecify.annotations.NullMarked;
