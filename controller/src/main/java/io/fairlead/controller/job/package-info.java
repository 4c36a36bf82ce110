/// Runs pods until enough of them have succeeded.
@NullMarked
package io.fairlead.controller.job;

import org.jspecify.annotations.NullMarked;
