/// The kinds that configure admission and that lead to other API servers.
@NullMarked
package io.fairlead.server.resources.admission;

import org.jspecify.annotations.NullMarked;
