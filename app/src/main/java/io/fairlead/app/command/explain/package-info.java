/// The verb `explain`: what the user asks about, and how the answer looks on a screen.
@NullMarked
package io.fairlead.app.command.explain;

import org.jspecify.annotations.NullMarked;
