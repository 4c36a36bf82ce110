/// Words: the message catalogue in two languages and how wide they are on a terminal.
@NullMarked
package io.fairlead.app.text;

import org.jspecify.annotations.NullMarked;
