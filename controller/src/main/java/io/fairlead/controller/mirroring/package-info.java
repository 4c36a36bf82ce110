/// Slices for Endpoints that users write by hand, so that readers need slices only.
@NullMarked
package io.fairlead.controller.mirroring;

import org.jspecify.annotations.NullMarked;
