/// Keeps pods with names and an order.
@NullMarked
package io.fairlead.controller.statefulset;

import org.jspecify.annotations.NullMarked;
