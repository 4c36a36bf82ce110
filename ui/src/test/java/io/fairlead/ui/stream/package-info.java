/// Tests of live values without a server.
@NullMarked
package io.fairlead.ui.stream;

import org.jspecify.annotations.NullMarked;
