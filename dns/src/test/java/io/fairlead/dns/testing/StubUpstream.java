package io.fairlead.dns.testing;

import io.fairlead.api.net.IpAddress;
import io.fairlead.dns.plugin.BlockContext;
import io.fairlead.dns.plugin.ChainPlugin;
import io.fairlead.dns.plugin.Directive;
import io.fairlead.dns.plugin.DnsAnswer;
import io.fairlead.dns.plugin.Handler;
import io.fairlead.dns.plugin.Plugin;
import io.fairlead.dns.plugin.PluginFactory;
import io.fairlead.dns.plugin.Query;
import io.fairlead.dns.plugin.Reply;
import io.fairlead.dns.wire.Header;
import io.fairlead.dns.wire.Name;
import io.fairlead.dns.wire.Rcode;
import io.fairlead.dns.wire.RecordData;
import io.fairlead.dns.wire.ResourceRecord;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/// Stands where `forward` would and answers as the upstream of section 5 does, without a network.
/// The name `slow.example.net` waits until it is told to go on.
public final class StubUpstream implements PluginFactory, ChainPlugin {
  private static final Name ZONE = Name.of("example.net");
  private static final Name DATABASE = Name.of("db.example.net");
  private static final Name SLOW = Name.of("slow.example.net");

  public final CountDownLatch slow = new CountDownLatch(1);

  @Override
  public String name() {
    return "forward";
  }

  @Override
  public Plugin create(List<Directive> lines, BlockContext context) {
    return this;
  }

  @Override
  public DnsAnswer handle(Query query, Handler next) {
    if (query.name().equals(SLOW)) {
      try {
        slow.await();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
      return reply(Rcode.NOERROR);
    }
    if (query.name().equals(DATABASE)) {
      List<ResourceRecord> found =
          List.of("192.0.2.80", "2001:db8:80::1").stream()
              .map(text -> ResourceRecord.address(query.name(), 120, IpAddress.parse(text)))
              .filter(each -> each.type() == query.type())
              .toList();
      return found.isEmpty()
          ? reply(Rcode.NOERROR).withAuthority(List.of(soa()))
          : reply(Rcode.NOERROR).withAnswer(found);
    }
    return query.name().isUnder(ZONE)
        ? reply(Rcode.NXDOMAIN).withAuthority(List.of(soa()))
        : reply(Rcode.NXDOMAIN);
  }

  private static Reply reply(int rcode) {
    return Reply.of("forward", rcode).withFlags(Header.RA);
  }

  private static ResourceRecord soa() {
    return ResourceRecord.in(
        ZONE,
        60,
        new RecordData.Soa(Name.of("ns.example.net"), Name.of("host.example.net"), 1, 1, 1, 1, 60));
  }
}
