/// Keeps a number of equal pods.
@NullMarked
package io.fairlead.controller.replicaset;

import org.jspecify.annotations.NullMarked;
