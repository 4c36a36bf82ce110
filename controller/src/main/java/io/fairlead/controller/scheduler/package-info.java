/// Finds a node for every pod.
@NullMarked
package io.fairlead.controller.scheduler;

import org.jspecify.annotations.NullMarked;
