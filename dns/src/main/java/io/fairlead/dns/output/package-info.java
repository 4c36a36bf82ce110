/// Lines for people and log collectors on standard output, written beside the queries they tell of.
@NullMarked
package io.fairlead.dns.output;

import org.jspecify.annotations.NullMarked;
