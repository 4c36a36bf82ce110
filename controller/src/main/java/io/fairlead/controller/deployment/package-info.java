/// Rolls pods from one version to the next by growing and shrinking ReplicaSets.
@NullMarked
package io.fairlead.controller.deployment;

import org.jspecify.annotations.NullMarked;
