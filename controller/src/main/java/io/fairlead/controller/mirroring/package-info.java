/// Slices for Endpoints that somebody wrote by hand, so that readers need to look at slices only.
@NullMarked
package io.fairlead.controller.mirroring;

import org.jspecify.annotations.NullMarked;
