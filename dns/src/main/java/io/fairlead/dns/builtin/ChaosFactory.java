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
import io.fairlead.dns.wire.Name;
import io.fairlead.dns.wire.Rcode;
import io.fairlead.dns.wire.RecordClass;
import io.fairlead.dns.wire.RecordData;
import io.fairlead.dns.wire.RecordType;
import io.fairlead.dns.wire.ResourceRecord;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Locale;

/// Reads the line of `chaos`.
public final class ChaosFactory implements PluginFactory {
  private static final String VERSION = "Fairlead";
  private static final int LONGEST_TEXT = 255;

  @Override
  public String name() {
    return "chaos";
  }

  @Override
  public Plugin create(List<Directive> lines, BlockContext context) throws SetupException {
    Directive line = DirectiveReader.only(lines);
    DirectiveReader.noBlock(line);
    List<String> words = line.arguments();
    for (String word : words) {
      if (word.length() > LONGEST_TEXT) {
        throw line.problem("a text of chaos may have 255 characters");
      }
    }
    String version = words.isEmpty() ? VERSION : words.getFirst();
    List<String> authors = words.size() > 1 ? words.subList(1, words.size()) : List.of("Fairlead");
    return new Chaos(version, authors);
  }

  private record Chaos(String version, List<String> authors) implements ChainPlugin {
    @Override
    public String name() {
      return "chaos";
    }

    @Override
    public List<? extends Record> options() {
      return List.of(this);
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
      if (query.question().recordClass() != RecordClass.CH) {
        return next.handle(query);
      }
      if (!query.mayBlock()) {
        // The machine may have to ask for its own name.
        return new DnsAnswer.WouldBlock();
      }
      if (query.type() != RecordType.TXT) {
        return Reply.of("chaos", Rcode.REFUSED);
      }
      return switch (query.name().toString().toLowerCase(Locale.ROOT)) {
        case "version.bind.", "version.server." -> say(query, List.of(version));
        case "authors.bind." -> say(query, authors);
        case "hostname.bind.", "id.server." -> say(query, List.of(hostname()));
        default -> Reply.of("chaos", Rcode.REFUSED);
      };
    }

    private static Reply say(Query query, List<String> texts) {
      List<ResourceRecord> records =
          texts.stream()
              .map(
                  text -> new ResourceRecord(query.name(), RecordClass.CH, 0, RecordData.txt(text)))
              .toList();
      return Reply.of("chaos", Rcode.NOERROR).withAnswer(records);
    }

    private static String hostname() {
      try {
        return InetAddress.getLocalHost().getHostName();
      } catch (UnknownHostException e) {
        return "localhost";
      }
    }
  }
}
