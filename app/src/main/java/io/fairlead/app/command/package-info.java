/// What each verb does.
@NullMarked
package io.fairlead.app.command;

import org.jspecify.annotations.NullMarked;
