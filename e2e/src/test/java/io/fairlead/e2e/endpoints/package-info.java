/// The endpoint controllers against the real server.
@NullMarked
package io.fairlead.e2e.endpoints;

import org.jspecify.annotations.NullMarked;
