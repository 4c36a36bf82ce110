/// Disruption budgets.
@NullMarked
package io.fairlead.server.resources.policy;

import org.jspecify.annotations.NullMarked;
