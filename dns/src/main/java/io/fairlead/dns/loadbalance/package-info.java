/// Plugin `loadbalance`: changes the order of records from answer to answer. README.md in this
/// directory has its options and an example.
@NullMarked
package io.fairlead.dns.loadbalance;

import org.jspecify.annotations.NullMarked;
