package io.fairlead.dns.builtin;

import io.fairlead.api.net.IpAddress;
import io.fairlead.dns.corefile.DirectiveReader;
import io.fairlead.dns.corefile.DnsZones;
import io.fairlead.dns.plugin.BlockContext;
import io.fairlead.dns.plugin.ChainPlugin;
import io.fairlead.dns.plugin.Directive;
import io.fairlead.dns.plugin.DnsAnswer;
import io.fairlead.dns.plugin.Handler;
import io.fairlead.dns.plugin.Plugin;
import io.fairlead.dns.plugin.PluginFactory;
import io.fairlead.dns.plugin.Query;
import io.fairlead.dns.plugin.Reply;
import io.fairlead.dns.plugin.SetupException;
import io.fairlead.dns.wire.Header;
import io.fairlead.dns.wire.Name;
import io.fairlead.dns.wire.Rcode;
import io.fairlead.dns.wire.RecordData;
import io.fairlead.dns.wire.ResourceRecord;
import java.util.List;

/// Makes `local`.
public final class LocalFactory implements PluginFactory {
  private static final int TTL = 604_800;
  private static final Name LOCALHOST = Name.of("localhost");
  private static final Name PTR4 = Name.of("1.0.0.127.in-addr.arpa");
  private static final Name PTR6 = Name.of("1." + "0.".repeat(31) + "ip6.arpa");
  private static final DnsZones ZONES =
      new DnsZones(
          List.of(
              LOCALHOST,
              Name.of("0.in-addr.arpa"),
              Name.of("127.in-addr.arpa"),
              Name.of("255.in-addr.arpa"),
              PTR6));

  @Override
  public String name() {
    return "local";
  }

  @Override
  public Plugin create(List<Directive> lines, BlockContext context) throws SetupException {
    DirectiveReader.bare(DirectiveReader.only(lines));
    return new Local();
  }

  private static final class Local implements ChainPlugin {
    @Override
    public String name() {
      return "local";
    }

    @Override
    public boolean passesOwnData(Name zone) {
      return !ZONES.contain(zone) && ZONES.names().stream().noneMatch(each -> each.isUnder(zone));
    }

    @Override
    public boolean treatsClientsAlike() {
      return true;
    }

    @Override
    public boolean mayBlock() {
      return false;
    }

    @Override
    public DnsAnswer handle(Query query, Handler next) {
      Name zone = ZONES.match(query.name());
      if (zone == null) {
        return next.handle(query);
      }
      List<ResourceRecord> found =
          records(query.name(), zone).stream().filter(each -> each.type() == query.type()).toList();
      boolean exists = query.name().equals(zone) || query.name().equals(PTR4);
      Reply reply = Reply.of("local", exists ? Rcode.NOERROR : Rcode.NXDOMAIN).withFlags(Header.AA);
      return found.isEmpty() ? reply.withAuthority(List.of(soa(zone))) : reply.withAnswer(found);
    }

    private static List<ResourceRecord> records(Name name, Name zone) {
      ResourceRecord soa = soa(zone);
      ResourceRecord ns = ResourceRecord.in(name, TTL, RecordData.ns(LOCALHOST));
      if (name.equals(LOCALHOST)) {
        return List.of(
            soa,
            ns,
            ResourceRecord.address(name, TTL, IpAddress.parse("127.0.0.1")),
            ResourceRecord.address(name, TTL, IpAddress.parse("::1")));
      }
      if (name.equals(PTR4) || name.equals(PTR6)) {
        return List.of(ResourceRecord.in(name, TTL, RecordData.ptr(LOCALHOST)));
      }
      return name.equals(zone) ? List.of(soa, ns) : List.of();
    }

    private static ResourceRecord soa(Name zone) {
      return ResourceRecord.in(
          zone, TTL, new RecordData.Soa(LOCALHOST, Name.of("root.localhost"), 1, 0, 0, 0, TTL));
    }
  }
}
