package io.fairlead.dns.acl;

import io.fairlead.api.net.Cidr;
import io.fairlead.api.net.IpAddress;
import java.util.List;
import java.util.Set;

/// One line in an `acl` block.
///
/// @param types empty for all
/// @param sources empty for all
record AclRule(Action action, Set<Integer> types, List<Cidr> sources) {
  enum Action {
    ALLOW,
    BLOCK,
    FILTER,
    DROP
  }

  boolean fits(int type, IpAddress source) {
    IpAddress plain = source.unmapped();
    return (types.isEmpty() || types.contains(type))
        && (sources.isEmpty() || sources.stream().anyMatch(each -> each.contains(plain)));
  }
}
