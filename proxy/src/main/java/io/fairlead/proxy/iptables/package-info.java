/// The mode that writes iptables rules in the layout people know, chain for chain and rule for
/// rule.
@NullMarked
package io.fairlead.proxy.iptables;

import org.jspecify.annotations.NullMarked;
