/// Plugin `cancel [TIMEOUT]`: gives up on a query after a time, 5001ms unless given.
@NullMarked
package io.fairlead.dns.cancel;

import org.jspecify.annotations.NullMarked;
