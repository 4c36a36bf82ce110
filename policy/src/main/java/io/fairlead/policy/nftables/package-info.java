/// The plan in the kernel: one nftables table per family, whose chains never change and whose sets
/// hold the plan.
@NullMarked
package io.fairlead.policy.nftables;

import org.jspecify.annotations.NullMarked;
