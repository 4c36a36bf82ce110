package io.fairlead.policy.nftables;

import io.fairlead.api.net.Cidr;
import io.fairlead.api.net.IpAddress;
import io.fairlead.kernel.nftables.Chain;
import io.fairlead.kernel.nftables.Hook;
import io.fairlead.kernel.nftables.NftRule;
import io.fairlead.policy.core.Direction;
import io.fairlead.policy.core.PolicySet;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// The chains of a table. They depend on the node's ranges and on options, never on a policy or a
/// pod.
///
/// How a connection passes them: its first packet goes from `forward` to `first`. A look-up that
/// misses ends its rule only, so each `goto` is taken on a hit. An isolated source goes to
/// `egress`: the class of the destination and the source give a grant, the grant and the port a
/// verdict. What passes goes on to `second`, which does the same for the destination. Later packets
/// are let through by `known`, unless the connection was cut.
final class PolicyChains {
  static final List<String> ENTRANCES = List.of("forward", "output", "source");

  private static final int FILTER = -5;
  private static final int MANGLE = -150;
  private static final int EVERYTHING = 1;

  /// A chain and its rules.
  record Content(Chain chain, List<NftRule> rules) {
    Content {
      rules = List.copyOf(rules);
    }
  }

  private final IpAddress.Family family;
  private final TableSettings settings;
  private final Map<String, Content> chains = new LinkedHashMap<>();

  private PolicyChains(IpAddress.Family family, TableSettings settings) {
    this.family = family;
    this.settings = settings;
  }

  /// By name.
  static Map<String, Content> of(IpAddress.Family family, TableSettings settings) {
    PolicyChains chains = new PolicyChains(family, settings);
    chains.build();
    return chains.chains;
  }

  private PolicyRuleBuilder rule() {
    return new PolicyRuleBuilder(family == IpAddress.Family.IPV4);
  }

  private void add(String name, List<NftRule> rules) {
    chains.put(name, new Content(Chain.plain(name, ""), rules));
  }

  private void base(String name, int hook, int priority, List<NftRule> rules) {
    chains.put(name, new Content(new Chain(name, new Hook("filter", hook, priority), ""), rules));
  }

  private void build() {
    base("forward", Hook.FORWARD, FILTER, List.of(rule().known().go("known"), rule().go("first")));
    base(
        "output",
        Hook.OUTPUT,
        FILTER,
        List.of(rule().known().go("known"), rule().fromThisMachine().accept(), rule().go("first")));
    base("source", Hook.PREROUTING, MANGLE, source());
    add("known", List.of(rule().labelled(settings.cutLabel()).counter().drop(), rule().accept()));
    add("never", List.of(rule().setLabel(settings.cutLabel()).end("")));
    add("first", side(Direction.EGRESS, "second"));
    add("second", side(Direction.INGRESS, "passed"));
    judge(Direction.EGRESS, "second");
    judge(Direction.INGRESS, "passed");
    List<NftRule> unknown = new ArrayList<>();
    unknown.add(rule().counter().end(""));
    log(unknown, "unknown");
    unknown.add(rule().drop());
    add("unknown", unknown);
    add("passed", List.of(rule().carryNothing().end(""), rule().accept()));
  }

  private List<NftRule> source() {
    List<NftRule> rules = new ArrayList<>();
    rules.add(rule().known().accept());
    for (Cidr range : settings.sourceRanges()) {
      if (range.family() == family) {
        rules.add(rule().within(true, range).spoofed().counter().drop());
      }
    }
    return rules;
  }

  private List<NftRule> side(Direction direction, String next) {
    boolean egress = direction == Direction.EGRESS;
    List<NftRule> rules = new ArrayList<>();
    PolicySet anyone = egress ? PolicySet.EGRESS_ANYONE : PolicySet.INGRESS_ANYONE;
    rules.add(rule().carry(egress, anyone).go(direction.toString()));
    rules.add(rule().addressIn(egress, PolicySet.PODS).go(next));
    for (Cidr range : settings.podRanges()) {
      if (range.family() == family) {
        rules.add(rule().within(egress, range).go("unknown"));
      }
    }
    rules.add(rule().go(next));
    return rules;
  }

  private void judge(Direction direction, String next) {
    boolean own = direction == Direction.EGRESS;
    boolean peer = !own;
    PolicySet anyone = own ? PolicySet.EGRESS_ANYONE : PolicySet.INGRESS_ANYONE;
    PolicySet anypod = own ? PolicySet.EGRESS_ANYPOD : PolicySet.INGRESS_ANYPOD;
    PolicySet grants = own ? PolicySet.EGRESS_GRANTS : PolicySet.INGRESS_GRANTS;
    String name = direction.toString();
    add(
        name,
        List.of(
            rule().carries(EVERYTHING).go(next),
            rule().carry(peer, PolicySet.CLASSES).go(name + "-pod"),
            rule().carry(peer, PolicySet.BLOCKS).go(name + "-pair"),
            rule().go(name + "-rest")));
    add(
        name + "-pod",
        List.of(
            rule().carryPair(own, grants).go(name + "-port"),
            rule().carry(own, anypod).go(name + "-port"),
            rule().go(name + "-rest")));
    add(
        name + "-pair",
        List.of(rule().carryPair(own, grants).go(name + "-port"), rule().go(name + "-rest")));
    add(
        name + "-rest",
        List.of(rule().carry(own, anyone).go(name + "-port"), rule().go(name + "-denied")));
    add(
        name + "-port",
        List.of(
            rule().carries(EVERYTHING).go(next),
            rule().portGranted().go(next),
            rule().portInGrantedRange().go(next),
            rule().go(name + "-denied")));
    add(name + "-denied", denied(direction, next));
  }

  private List<NftRule> denied(Direction direction, String next) {
    boolean own = direction == Direction.EGRESS;
    PolicySet drops = own ? PolicySet.EGRESS_DROPS : PolicySet.INGRESS_DROPS;
    List<NftRule> rules = new ArrayList<>();
    rules.add(rule().self(PolicySet.SELVES).go(next));
    log(rules, direction.toString());
    if (settings.reject()) {
      rules.add(rule().addressIn(own, drops).end(""));
      rules.add(rule().reset().end(""));
      rules.add(rule().prohibited().end(""));
    } else {
      rules.add(rule().addressIn(own, drops).drop());
      rules.add(rule().drop());
    }
    return rules;
  }

  private void log(List<NftRule> rules, String what) {
    if (settings.logGroup() != 0) {
      rules.add(rule().log(settings.logGroup(), PolicyTableLayout.LOG_PREFIX + what + " ").end(""));
    }
  }
}
