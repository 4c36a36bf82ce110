/// Stock kubectl of several versions against our server, compared with what it prints against the
/// original.
@NullMarked
package io.fairlead.e2e.kubectl;

import org.jspecify.annotations.NullMarked;
