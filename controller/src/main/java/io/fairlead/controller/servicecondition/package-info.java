/// Says in a Service's own status when none of its pods serves.
@NullMarked
package io.fairlead.controller.servicecondition;

import org.jspecify.annotations.NullMarked;
