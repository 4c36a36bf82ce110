/// Pseudo terminals: what a program on a far machine takes for a screen and a keyboard.
@NullMarked
package io.fairlead.kernel.terminal;

import org.jspecify.annotations.NullMarked;
