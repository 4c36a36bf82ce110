package io.fairlead.dns.hosts;

import io.fairlead.api.net.IpAddress;
import io.fairlead.dns.corefile.DnsZones;
import io.fairlead.dns.wire.Name;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Names and addresses of one source. Immutable once built.
///
/// @param version an object of its own: who only wants to know whether the table has changed does
///   not hold on to what is in it
record HostTable(
    Map<Name, Set<IpAddress>> byName,
    Map<IpAddress, List<Name>> byAddress,
    int size,
    Object version) {
  static final HostTable EMPTY = new HostTable(Map.of(), Map.of(), 0, new Object());

  /// Reads lines `ADDRESS NAME...`; what is no address or no name is passed over, as resolvers do.
  ///
  /// @param zones names outside are left out
  static HostTable read(String text, DnsZones zones) {
    Map<Name, Set<IpAddress>> byName = new HashMap<>();
    Map<IpAddress, List<Name>> byAddress = new LinkedHashMap<>();
    int size = 0;
    for (String line : text.split("\n")) {
      int comment = line.indexOf('#');
      String[] words = (comment < 0 ? line : line.substring(0, comment)).strip().split("\\s+");
      int zone = words[0].indexOf('%');
      IpAddress address = IpAddress.parseOrNull(zone < 0 ? words[0] : words[0].substring(0, zone));
      if (address == null) {
        continue;
      }
      for (int i = 1; i < words.length; i++) {
        Name name = Name.parseOrNull(words[i]);
        if (name == null || !zones.contain(name)) {
          continue;
        }
        size++;
        byName.computeIfAbsent(name, _ -> new LinkedHashSet<>()).add(address);
        byAddress.computeIfAbsent(address, _ -> new ArrayList<>()).add(name);
      }
    }
    return new HostTable(byName, byAddress, size, new Object());
  }

  Set<IpAddress> addresses(Name name) {
    Set<IpAddress> exact = byName.get(name);
    if (exact != null || name.isRoot()) {
      return exact == null ? Set.of() : exact;
    }
    Name wildcard = Name.of("*").append(name.parent());
    return wildcard == null ? Set.of() : byName.getOrDefault(wildcard, Set.of());
  }

  List<Name> names(IpAddress address) {
    return byAddress.getOrDefault(address, List.of()).stream()
        .filter(name -> !name.toString().startsWith("*."))
        .toList();
  }
}
