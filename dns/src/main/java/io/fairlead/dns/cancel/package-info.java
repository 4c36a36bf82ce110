/// Plugin `cancel [TIMEOUT]`: gives up on a query after a time, 5001ms unless given. README.md
/// beside this file has its options and an example.
@NullMarked
package io.fairlead.dns.cancel;

import org.jspecify.annotations.NullMarked;
