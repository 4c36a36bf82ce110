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
import io.fairlead.dns.wire.Edns;
import io.fairlead.dns.wire.EdnsOption;
import io.fairlead.dns.wire.ImmutableBytes;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/// Reads the line of `nsid`.
public final class NsidFactory implements PluginFactory {
  @Override
  public String name() {
    return "nsid";
  }

  @Override
  public Plugin create(List<Directive> lines, BlockContext context) throws SetupException {
    Directive line = DirectiveReader.only(lines);
    DirectiveReader.noBlock(line);
    String data = line.arguments().isEmpty() ? hostname() : String.join(" ", line.arguments());
    return new Nsid(ImmutableBytes.of(data.getBytes(StandardCharsets.UTF_8)));
  }

  private static String hostname() {
    try {
      return InetAddress.getLocalHost().getHostName();
    } catch (UnknownHostException e) {
      return "localhost";
    }
  }

  private record Nsid(ImmutableBytes data) implements ChainPlugin {
    @Override
    public String name() {
      return "nsid";
    }

    @Override
    public List<? extends Record> options() {
      return List.of(this);
    }

    @Override
    public boolean mayBlock() {
      return false;
    }

    @Override
    public DnsAnswer handle(Query query, Handler next) {
      DnsAnswer answer = next.handle(query);
      Edns edns = query.edns();
      boolean asked = edns != null && edns.option(EdnsOption.NSID).isPresent();
      if (!asked || !(answer instanceof Reply reply)) {
        return answer;
      }
      List<EdnsOption> options = new ArrayList<>(reply.options());
      options.removeIf(option -> option.code() == EdnsOption.NSID);
      options.add(new EdnsOption(EdnsOption.NSID, data));
      return reply.withOptions(options);
    }
  }
}
