/// Which cluster addresses and node ports a Service gets.
@NullMarked
package io.fairlead.server.allocation;

import org.jspecify.annotations.NullMarked;
