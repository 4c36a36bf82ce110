/// `simulate` and `nodrop`: what a change would do to connections, and what it does to them.
@NullMarked
package io.fairlead.app.command.whatif;

import org.jspecify.annotations.NullMarked;
