package io.fairlead.dns.corefile;

import io.fairlead.dns.plugin.Directive;
import io.fairlead.dns.plugin.SetupException;
import io.fairlead.dns.wire.Name;
import java.util.List;

/// Which names a plugin leaves to the next one when it does not know them: the option `fallthrough
/// [ZONES...]`.
public record Fallthrough(DnsZones zones) {
  public static final Fallthrough NEVER = new Fallthrough(new DnsZones(List.of()));

  /// All names, unless zones are listed.
  public static Fallthrough read(Directive option) throws SetupException {
    return new Fallthrough(
        option.arguments().isEmpty()
            ? DnsZones.ALL
            : DirectiveReader.zones(option, option.arguments()));
  }

  public boolean through(Name name) {
    return zones.contain(name);
  }
}
