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
import io.fairlead.dns.wire.RecordData;
import io.fairlead.dns.wire.RecordType;
import io.fairlead.dns.wire.ResourceRecord;
import java.util.List;

/// Makes `any`.
public final class AnyFactory implements PluginFactory {
  private static final int TTL = 8482;
  private static final RecordData ANSWER =
      new RecordData.Text(RecordType.HINFO, List.of("ANY obsoleted", "See RFC 8482"));

  @Override
  public String name() {
    return "any";
  }

  @Override
  public Plugin create(List<Directive> lines, BlockContext context) throws SetupException {
    DirectiveReader.bare(DirectiveReader.only(lines));
    return new Any();
  }

  private static final class Any implements ChainPlugin {
    @Override
    public String name() {
      return "any";
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
      if (query.type() != RecordType.ANY) {
        return next.handle(query);
      }
      ResourceRecord record = ResourceRecord.in(query.name(), TTL, ANSWER);
      return Reply.of("any", Rcode.NOERROR).withAnswer(List.of(record));
    }
  }
}
