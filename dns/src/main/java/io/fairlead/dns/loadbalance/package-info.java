/// Plugin `loadbalance`: changes the order of records from answer to answer. README.md beside this
/// file has its options and an example.
@NullMarked
package io.fairlead.dns.loadbalance;

import org.jspecify.annotations.NullMarked;
