package io.fairlead.dns.acl;

import io.fairlead.api.net.Cidr;
import io.fairlead.api.net.IpAddress;
import io.fairlead.dns.corefile.DirectiveReader;
import io.fairlead.dns.plugin.BlockContext;
import io.fairlead.dns.plugin.Directive;
import io.fairlead.dns.plugin.Plugin;
import io.fairlead.dns.plugin.PluginFactory;
import io.fairlead.dns.plugin.SetupException;
import io.fairlead.dns.wire.RecordType;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.OptionalInt;
import java.util.Set;

/// Reads the lines of `acl`.
public final class AclFactory implements PluginFactory {
  @Override
  public String name() {
    return "acl";
  }

  @Override
  public Plugin create(List<Directive> lines, BlockContext context) throws SetupException {
    List<AclPlugin.Policy> policies = new ArrayList<>();
    for (Directive line : lines) {
      List<AclRule> rules = new ArrayList<>();
      for (Directive option : line.block()) {
        rules.add(rule(line, option));
      }
      policies.add(
          new AclPlugin.Policy(
              DirectiveReader.zones(line, line.arguments(), context.block()), rules));
    }
    return new AclPlugin(policies, context.instance());
  }

  private static AclRule rule(Directive line, Directive option) throws SetupException {
    AclRule.Action action =
        switch (option.name().toLowerCase(Locale.ROOT)) {
          case "allow" -> AclRule.Action.ALLOW;
          case "block" -> AclRule.Action.BLOCK;
          case "filter" -> AclRule.Action.FILTER;
          case "drop" -> AclRule.Action.DROP;
          default ->
              throw DirectiveReader.unknown(line, option, "allow", "block", "filter", "drop");
        };
    Set<Integer> types = new HashSet<>();
    List<Cidr> sources = new ArrayList<>();
    boolean allTypes = false;
    boolean allSources = false;
    String section = "";
    for (String word : option.arguments()) {
      if (word.equals("type") || word.equals("net")) {
        section = word;
      } else if (section.equals("type")) {
        allTypes |= word.equals("*");
        if (!word.equals("*")) {
          types.add(type(option, word));
        }
      } else if (section.equals("net")) {
        allSources |= word.equals("*");
        if (!word.equals("*")) {
          sources.add(source(option, word));
        }
      } else {
        throw option.problem("expected 'type' or 'net' before '" + word + "'");
      }
    }
    return new AclRule(action, allTypes ? Set.of() : types, allSources ? List.of() : sources);
  }

  private static int type(Directive option, String word) throws SetupException {
    OptionalInt type = RecordType.parse(word);
    if (type.isEmpty()) {
      throw option.problem("'" + word + "' is no record type");
    }
    return type.getAsInt();
  }

  private static Cidr source(Directive option, String word) throws SetupException {
    Cidr range = Cidr.parseLenientOrNull(word);
    if (range != null) {
      return range.masked();
    }
    IpAddress address = IpAddress.parseOrNull(word);
    if (address == null) {
      throw option.problem("'" + word + "' is neither an address nor a range such as 10.0.0.0/8");
    }
    return new Cidr(address, address.family().bits());
  }
}
