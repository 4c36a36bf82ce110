/// What changed, why, and how long each node took: recorded changes of all components, joined by
/// resource versions. Pure.
@NullMarked
package io.fairlead.insight.history;

import org.jspecify.annotations.NullMarked;
