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
import io.fairlead.dns.wire.DnsMessage;
import io.fairlead.dns.wire.Header;
import java.util.ArrayList;
import java.util.List;

/// Reads the line of `header`.
public final class HeaderFactory implements PluginFactory {
  private record Rule(boolean query, boolean set, int flags) {
    int apply(int before) {
      return set ? before | flags : before & ~flags;
    }
  }

  @Override
  public String name() {
    return "header";
  }

  @Override
  public Plugin create(List<Directive> lines, BlockContext context) throws SetupException {
    List<Rule> rules = new ArrayList<>();
    for (Directive line : lines) {
      DirectiveReader.count(line, 0, 0, "header { [query|response] set|clear FLAGS... }");
      if (line.block().isEmpty()) {
        throw line.problem("header needs a block with set or clear");
      }
      for (Directive option : line.block()) {
        rules.add(rule(line, option));
      }
    }
    return new HeaderPlugin(rules);
  }

  private static Rule rule(Directive line, Directive option) throws SetupException {
    List<String> words = new ArrayList<>();
    words.add(option.name());
    words.addAll(option.arguments());
    boolean query = words.getFirst().equals("query");
    if (query || words.getFirst().equals("response")) {
      words.removeFirst();
    }
    String action = words.isEmpty() ? "" : words.removeFirst();
    if (!action.equals("set") && !action.equals("clear")) {
      throw DirectiveReader.unknown(line, option, "set", "clear", "query", "response");
    }
    int flags = 0;
    for (String word : words) {
      flags |=
          switch (word) {
            case "aa" -> Header.AA;
            case "ra" -> Header.RA;
            case "rd" -> Header.RD;
            default -> throw option.problem("'" + word + "' is no flag; there are aa, ra and rd");
          };
    }
    if (flags == 0) {
      throw option.problem(action + " needs at least one of aa, ra and rd");
    }
    return new Rule(query, action.equals("set"), flags);
  }

  private record HeaderPlugin(List<Rule> rules) implements ChainPlugin {
    @Override
    public String name() {
      return "header";
    }

    @Override
    public List<? extends Record> options() {
      return rules;
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
      DnsAnswer answer = next.handle(asked(query));
      if (!(answer instanceof Reply reply)) {
        return answer;
      }
      int flags = reply.flags();
      for (Rule rule : rules) {
        flags = rule.query() ? flags : rule.apply(flags);
      }
      return reply.withFlags(flags);
    }

    private Query asked(Query query) {
      DnsMessage request = query.request();
      int flags = request.header().flags();
      for (Rule rule : rules) {
        flags = rule.query() ? rule.apply(flags) : flags;
      }
      if (flags == request.header().flags()) {
        return query;
      }
      Header header =
          new Header(
              request.header().id(), request.header().opcode(), flags, request.header().rcode());
      return query.withRequest(
          new DnsMessage(
              header,
              request.questions(),
              request.answer(),
              request.authority(),
              request.additional(),
              request.edns()));
    }
  }
}
