package io.fairlead.dns.file;

import io.fairlead.dns.wire.Name;
import io.fairlead.dns.wire.RecordData;
import io.fairlead.dns.wire.RecordType;
import io.fairlead.dns.wire.ResourceRecord;
import io.fairlead.dns.zonefile.ZoneFileException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/// The records of one zone, by name. Immutable.
///
/// @param exists all names that own a record or stand above one that does
record Zone(
    Name origin,
    ResourceRecord soa,
    Map<Name, Map<Integer, List<ResourceRecord>>> nodes,
    Set<Name> exists) {

  static Zone of(Name origin, List<ResourceRecord> records) throws ZoneFileException {
    Map<Name, Map<Integer, List<ResourceRecord>>> nodes = new HashMap<>();
    Set<Name> exists = new HashSet<>();
    ResourceRecord soa = null;
    for (ResourceRecord each : records) {
      if (!each.owner().isUnder(origin)) {
        throw new ZoneFileException(
            0, each.owner() + " does not lie in the zone " + origin + " of this file");
      }
      if (each.type() == RecordType.SOA && each.owner().equals(origin)) {
        soa = each;
      }
      nodes
          .computeIfAbsent(each.owner(), _ -> new TreeMap<>())
          .computeIfAbsent(each.type(), _ -> new ArrayList<>())
          .add(each);
      for (Name at = each.owner(); at.isUnder(origin); at = at.parent()) {
        if (!exists.add(at) || at.equals(origin)) {
          break;
        }
      }
    }
    if (soa == null) {
      throw new ZoneFileException(0, "the file has no SOA record for " + origin);
    }
    return new Zone(origin, soa, nodes, exists);
  }

  List<ResourceRecord> at(Name name, int type) {
    return nodes.getOrDefault(name, Map.of()).getOrDefault(type, List.of());
  }

  List<ResourceRecord> all(Name name) {
    return nodes.getOrDefault(name, Map.of()).values().stream().flatMap(List::stream).toList();
  }

  long serial() {
    return ((RecordData.Soa) soa.data()).serial();
  }

  /// The SOA record as it stands in negative answers (RFC 2308).
  ResourceRecord negative() {
    return soa.withTtl(Math.min(soa.ttl(), ((RecordData.Soa) soa.data()).minimum()));
  }

  /// Everything but the SOA record, in canonical order.
  List<ResourceRecord> others() {
    return nodes.entrySet().stream()
        .sorted(Map.Entry.comparingByKey())
        .flatMap(node -> node.getValue().values().stream())
        .flatMap(List::stream)
        .filter(each -> each.type() != RecordType.SOA)
        .toList();
  }
}
