/// The nftables mode: chains that never change, Services as data in maps and sets.
@NullMarked
package io.fairlead.proxy.nftables;

import org.jspecify.annotations.NullMarked;
