/// The secure port of a component that is no API server: health, metrics, and what else it tells.
@NullMarked
package io.fairlead.server.component;

import org.jspecify.annotations.NullMarked;
