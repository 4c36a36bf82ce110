package io.fairlead.dns.builtin;

import io.fairlead.api.net.IpAddress;
import io.fairlead.dns.corefile.DirectiveReader;
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
import java.net.InetSocketAddress;
import java.util.List;

/// Makes `whoami`.
public final class WhoamiFactory implements PluginFactory {
  @Override
  public String name() {
    return "whoami";
  }

  @Override
  public Plugin create(List<Directive> lines, BlockContext context) throws SetupException {
    DirectiveReader.bare(DirectiveReader.only(lines));
    return new Whoami();
  }

  private static final class Whoami implements ChainPlugin {
    @Override
    public String name() {
      return "whoami";
    }

    @Override
    public boolean passesOwnData(Name zone) {
      return true;
    }

    @Override
    public boolean mayBlock() {
      return false;
    }

    @Override
    public DnsAnswer handle(Query query, Handler next) {
      InetSocketAddress client = query.origin().remote();
      IpAddress address = IpAddress.ofBytes(client.getAddress().getAddress());
      String protocol = query.origin().transport().protocol();
      Name service = Name.of("_" + protocol).append(query.name());
      Name owner = service == null ? query.name() : service;
      return Reply.of("whoami", Rcode.NOERROR)
          .withFlags(Header.AA)
          .withAdditional(
              List.of(
                  ResourceRecord.address(query.name(), 0, address),
                  ResourceRecord.in(
                      owner, 0, new RecordData.Srv(0, 0, client.getPort(), Name.ROOT))));
    }
  }
}
