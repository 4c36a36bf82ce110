/// Fills cluster roles that are made of others.
@NullMarked
package io.fairlead.controller.aggregation;

import org.jspecify.annotations.NullMarked;
