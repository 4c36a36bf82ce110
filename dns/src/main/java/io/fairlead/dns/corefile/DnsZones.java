package io.fairlead.dns.corefile;

import io.fairlead.api.net.Cidr;
import io.fairlead.dns.wire.Name;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A set of zones that a plugin serves.
public record DnsZones(List<Name> names) {
  public static final DnsZones ALL = new DnsZones(List.of(Name.ROOT));

  public DnsZones {
    names = List.copyOf(names);
  }

  /// Reads a zone, or the zones of the reverse tree that hold a range such as `10.0.0.0/8`.
  /// IllegalArgumentException when the text is neither.
  public static List<Name> read(String text) {
    if (text.isEmpty() || text.equals(".")) {
      return List.of(Name.ROOT);
    }
    if (text.indexOf('/') < 0) {
      Name name = Name.parseOrNull(text);
      if (name == null) {
        throw new IllegalArgumentException(
            "\"" + text + "\" is no zone: a label is empty or longer than 63, or all is over 255");
      }
      return List.of(name.lowerCase());
    }
    Cidr range = Cidr.parseLenientOrNull(text);
    if (range == null) {
      throw new IllegalArgumentException(
          "\"" + text + "\" is neither a zone nor a range of addresses such as 10.0.0.0/8");
    }
    List<Name> zones = new ArrayList<>();
    for (String zone : ReverseZones.of(range)) {
      zones.add(Name.of(zone));
    }
    return zones;
  }

  /// The longest of the zones that holds the name; null when none does.
  public @Nullable Name match(Name name) {
    Name longest = null;
    for (Name zone : names) {
      if (name.isUnder(zone) && (longest == null || zone.length() > longest.length())) {
        longest = zone;
      }
    }
    return longest;
  }

  /// Whether a name can be in one of the zones and in that one, too.
  public boolean overlap(Name zone) {
    return names.stream().anyMatch(each -> each.isUnder(zone) || zone.isUnder(each));
  }

  public boolean contain(Name name) {
    return match(name) != null;
  }
}
