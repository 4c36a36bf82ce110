/// nftables over netlink: tables, chains, rules, sets and maps, changed in transactions, read back,
/// watched and traced; the packets that its log statements send (NFLOG).
@NullMarked
package io.fairlead.kernel.nftables;

import org.jspecify.annotations.NullMarked;
