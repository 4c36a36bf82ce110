package io.fairlead.dns.builtin;

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
import io.fairlead.dns.wire.Rcode;
import java.util.List;

/// Makes `minimal`.
public final class MinimalFactory implements PluginFactory {
  @Override
  public String name() {
    return "minimal";
  }

  @Override
  public Plugin create(List<Directive> lines, BlockContext context) throws SetupException {
    DirectiveReader.bare(DirectiveReader.only(lines));
    return new Minimal();
  }

  private static final class Minimal implements ChainPlugin {
    @Override
    public String name() {
      return "minimal";
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
      DnsAnswer answer = next.handle(query);
      boolean found =
          answer instanceof Reply reply
              && reply.rcode() == Rcode.NOERROR
              && !reply.answer().isEmpty();
      return found ? ((Reply) answer).withAuthority(List.of()).withAdditional(List.of()) : answer;
    }
  }
}
