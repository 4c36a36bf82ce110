package io.fairlead.proxy.ipvs;

import io.fairlead.api.net.IpAddress;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/// The sets of one family that are there, with their entries.
final class SetListing {
  private SetListing() {}

  /// Reads what `ipset save` prints. A set that is missing has no key.
  static Map<SetKind, Set<String>> parse(String listing, IpAddress.Family family) {
    Map<String, SetKind> byName = new HashMap<>();
    for (SetKind set : SetKind.values()) {
      byName.put(set.name(family), set);
    }
    Map<SetKind, Set<String>> found = new EnumMap<>(SetKind.class);
    for (String line : (Iterable<String>) listing.lines()::iterator) {
      String[] words = line.strip().split(" ");
      SetKind set = words.length < 3 ? null : byName.get(words[1]);
      if (set == null) {
        continue;
      }
      Set<String> entries = found.computeIfAbsent(set, _ -> new HashSet<>());
      if (words[0].equals("add")) {
        entries.add(words[2]);
      }
    }
    return found;
  }
}
