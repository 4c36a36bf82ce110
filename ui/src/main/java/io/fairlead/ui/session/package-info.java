/// Who gets in: one-time codes, sessions, and the rules that every request must pass.
@NullMarked
package io.fairlead.ui.session;

import org.jspecify.annotations.NullMarked;
