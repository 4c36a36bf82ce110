/// Cells that several tables share: ages, selectors, container lists.
@NullMarked
package io.fairlead.server.resources.table;

import org.jspecify.annotations.NullMarked;
