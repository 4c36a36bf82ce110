/// Counts the healthy pods of each PodDisruptionBudget, so that evictions know how many may go.
@NullMarked
package io.fairlead.controller.disruption;

import org.jspecify.annotations.NullMarked;
