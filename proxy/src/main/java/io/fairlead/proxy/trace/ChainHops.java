package io.fairlead.proxy.trace;

import io.fairlead.kernel.nftables.ListedRule;
import io.fairlead.kernel.nftables.NftEvent;
import io.fairlead.kernel.nftables.NftVerdict;
import io.fairlead.kernel.nftables.RuleText;
import io.fairlead.kernel.nftables.TracedPacket;
import io.fairlead.proxy.trace.TraceEvidence.ChainName;
import io.fairlead.proxy.trace.TraceHop.RuleReference;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Set;

/// The hops of one packet through chains.
///
/// A rule reports only when it matched. Jumps that follow each other become one hop; the rule that
/// picks an endpoint at random gets one of its own, with the share it stands for. Rules of tables
/// this program has nothing to do with are shown when they end the packet's way.
final class ChainHops {
  private static final int LONGEST_RULE = 60;
  private static final String ENDPOINT_CHAIN = "KUBE-SEP-";
  private static final String SERVICE_CHAIN = "KUBE-S";
  private static final double ALMOST_HALF = 0.001;

  /// Tables whose chains are those of the iptables tools.
  private static final Set<String> IPTABLES = Set.of("nat", "filter", "mangle", "raw");

  private static final Set<String> OURS = Set.of("fairlead-proxy", "fairlead-userspace");
  private static final String POLICY_TABLE = "fairlead-policy";

  /// How the packet's way ended inside the node.
  ///
  /// @param hop the number of the hop that ended it, 0 when none did
  /// @param lost no rule ended it: it was not seen again
  record Ending(int hop, boolean lost, String code, Map<String, String> values) {
    static final Ending NONE = new Ending(0, false, "", Map.of());

    /// The same one hop later.
    Ending later() {
      return new Ending(hop + 1, lost, code, values);
    }
  }

  private final TraceEvidence seen;
  private final TraceContext context;
  private final TracedPacket packet;
  private final List<String> path = new ArrayList<>();
  private String pathTable = "";

  ChainHops(TraceEvidence seen, TraceContext context, TracedPacket packet) {
    this.seen = seen;
    this.context = context;
    this.packet = packet;
  }

  Ending addTo(List<TraceHop> hops) {
    for (NftEvent.Traced event : packet.events()) {
      if (event.table().name().equals(TraceTable.NAME)) {
        closePath(hops);
        entrance(event, hops);
      } else if (event.type().equals("policy") && TraceAnalysis.isDrop(event)) {
        closePath(hops);
        return policyDrop(event, hops);
      } else if (event.type().equals("rule") && event.rule() != 0) {
        if (TraceAnalysis.isDrop(event)) {
          closePath(hops);
          return drop(event, hops);
        }
        rule(event, hops);
      }
    }
    closePath(hops);
    return vanished(hops);
  }

  /// Where the packet came from.
  private void entrance(NftEvent.Traced event, List<TraceHop> hops) {
    if (event.rule() == 0) {
      return;
    }
    String link = seen.links().getOrDefault(event.inputInterface(), "");
    switch (event.chain()) {
      case TraceTable.ENTER ->
          hops.add(TraceHop.of("raw", "nft trace", "packet enters from " + link));
      case TraceTable.LOCAL_OUT ->
          hops.add(TraceHop.of("raw", "nft trace", "packet leaves a process of the node"));
      default -> {}
    }
  }

  private void rule(NftEvent.Traced event, List<TraceHop> hops) {
    boolean known = isKnown(event);
    boolean goesOn = !event.verdict().chain().isEmpty();
    if (!known || !goesOn || isHousekeeping(event.verdict().chain())) {
      return;
    }
    if (event.verdict().chain().startsWith(ENDPOINT_CHAIN)) {
      closePath(hops);
      hops.add(choice(event));
      return;
    }
    if (path.isEmpty() || !pathTable.equals(event.table().name())) {
      closePath(hops);
      pathTable = event.table().name();
      if (!isEntrance(event.chain())) {
        path.add(event.chain());
      }
    }
    path.add(event.verdict().chain());
  }

  private static boolean isKnown(NftEvent.Traced event) {
    String table = event.table().name();
    return OURS.contains(table)
        || table.equals("kube-proxy")
        || (IPTABLES.contains(table)
            && (event.chain().startsWith("KUBE-") || event.verdict().chain().startsWith("KUBE-")));
  }

  /// Chains that only mark packets or let established connections pass say nothing about the way.
  private static boolean isHousekeeping(String chain) {
    return chain.equals("KUBE-MARK-MASQ")
        || chain.equals("KUBE-FORWARD")
        || chain.equals("KUBE-FIREWALL")
        || chain.equals("KUBE-POSTROUTING")
        || chain.equals("KUBE-PROXY-FIREWALL")
        || chain.equals("KUBE-PROXY-CANARY")
        || chain.equals("masquerading");
  }

  private static boolean isEntrance(String chain) {
    return chain.equals("PREROUTING")
        || chain.equals("OUTPUT")
        || chain.equals("prerouting")
        || chain.equals("output")
        || chain.equals("INPUT")
        || chain.equals("FORWARD");
  }

  private void closePath(List<TraceHop> hops) {
    if (path.isEmpty()) {
      return;
    }
    String text = String.join(" → ", path);
    boolean choosing = OURS.contains(pathTable) && path.getLast().startsWith("pick");
    boolean filter = pathTable.equals("filter");
    int among = context.backends().size();
    String last = path.getLast();
    path.clear();
    // The filter table is passed on every way; only where it ends the way it matters.
    if (filter) {
      return;
    }
    hops.add(TraceHop.of("nat", "nft trace", text + (choosing ? name() : "")).in(pathTable, last));
    if (choosing && among > 0) {
      double share = 1.0 / among;
      hops.add(
          TraceHop.of(
                  "nat",
                  "nft trace",
                  last + ": one of " + among + " slots at random = " + percent(share))
              .in(pathTable, last)
              .withShare(share));
    }
  }

  private String name() {
    return context.service().isEmpty() ? "" : "   " + context.service();
  }

  /// A rule that took the packet to one endpoint's chain.
  private TraceHop choice(NftEvent.Traced event) {
    List<ListedRule> all =
        seen.rules().getOrDefault(new ChainName(event.table(), event.chain()), List.of());
    List<ListedRule> choosing =
        all.stream()
            .filter(
                each ->
                    RuleText.verdict(each.rule())
                        .map(NftVerdict::chain)
                        .orElse("")
                        .startsWith(ENDPOINT_CHAIN))
            .toList();
    int number = 0;
    double left = 1;
    double share = -1;
    double own = 1;
    for (ListedRule each : choosing) {
      number++;
      OptionalDouble chance = RuleText.probability(each.rule());
      own = chance.orElse(1);
      if (each.handle() == event.rule()) {
        share = left * own;
        break;
      }
      left *= 1 - own;
    }
    RuleReference reference =
        new RuleReference(event.rule(), number, choosing.size(), ruleText(event));
    String how =
        share < 0 || choosing.size() < 2
            ? ""
            : number == 1
                ? ": " + percent(share)
                : number == choosing.size()
                    ? ": what the rules before left = " + percent(share)
                    : Math.abs(own - 0.5) < ALMOST_HALF
                        ? ": half of what "
                            + (number == 2 ? "rule 1" : "rules 1 to " + (number - 1))
                            + " left = "
                            + percent(share)
                        : ": "
                            + percent(own)
                            + " of what the rules before left = "
                            + percent(share);
    return TraceHop.of(
            "nat",
            "nft trace",
            "rule " + number + " of " + choosing.size() + how + " → " + event.verdict().chain())
        .in(event.table().name(), event.chain())
        .by(reference, event.verdict().toString())
        .withShare(share);
  }

  private String ruleText(NftEvent.Traced event) {
    return listed(event).map(each -> RuleText.of(each.rule())).orElse("");
  }

  private java.util.Optional<ListedRule> listed(NftEvent.Traced event) {
    return seen
        .rules()
        .getOrDefault(new ChainName(event.table(), event.chain()), List.of())
        .stream()
        .filter(each -> each.handle() == event.rule())
        .findFirst();
  }

  private RuleReference reference(NftEvent.Traced event) {
    List<ListedRule> all =
        seen.rules().getOrDefault(new ChainName(event.table(), event.chain()), List.of());
    int number = 0;
    for (int i = 0; i < all.size(); i++) {
      if (all.get(i).handle() == event.rule()) {
        number = i + 1;
      }
    }
    return new RuleReference(event.rule(), number, all.size(), ruleText(event));
  }

  private Ending drop(NftEvent.Traced event, List<TraceHop> hops) {
    boolean rejects = listed(event).map(each -> RuleText.rejects(each.rule())).orElse(false);
    RuleReference reference = reference(event);
    String rule = cut(reference.text());
    String where = event.table().name() + " " + event.chain();
    hops.add(
        TraceHop.of(
                place(event),
                "nft trace",
                (rejects ? "rejected by " : "dropped by ")
                    + where
                    + (reference.number() == 0 ? "" : " rule " + reference.number())
                    + (rule.isEmpty() ? "" : ": " + rule))
            .in(event.table().name(), event.chain())
            .by(reference, rejects ? "reject" : "drop"));
    return new Ending(hops.size(), false, code(event), dropValues(event, rule));
  }

  private Map<String, String> dropValues(NftEvent.Traced event, String rule) {
    return Map.of("table", event.table().name(), "chain", event.chain(), "rule", rule);
  }

  private String code(NftEvent.Traced event) {
    String table = event.table().name();
    if (OURS.contains(table)
        || (IPTABLES.contains(table) && event.chain().startsWith(SERVICE_CHAIN))
        || event.chain().startsWith("KUBE-EXTERNAL-SERVICES")
        || event.chain().startsWith("KUBE-X")
        || event.chain().startsWith("KUBE-FW")
        || event.chain().equals("KUBE-PROXY-FIREWALL")) {
      return TraceAnalysis.ownDropCode(context);
    }
    return table.equals(POLICY_TABLE) ? "FL160" : "FL146";
  }

  private static Ending policyDrop(NftEvent.Traced event, List<TraceHop> hops) {
    String where = event.table().name() + " " + event.chain();
    hops.add(
        TraceHop.of(place(event), "nft trace", "dropped by the policy of " + where)
            .in(event.table().name(), event.chain()));
    return new Ending(
        hops.size(),
        false,
        "FL146",
        Map.of("table", event.table().name(), "chain", event.chain(), "rule", "policy drop"));
  }

  private static String place(NftEvent.Traced event) {
    return switch (event.table().name()) {
      case "nat", "fairlead-proxy", "fairlead-userspace", "kube-proxy" -> "nat";
      case "raw" -> "raw";
      case "filter", POLICY_TABLE -> "filter";
      default -> "other";
    };
  }

  /// A packet that no verdict ended and that the last chains of the trace did not see.
  private Ending vanished(List<TraceHop> hops) {
    boolean forward = passed(TraceTable.FORWARD);
    boolean gone = passed(TraceTable.LEAVE) || passed(TraceTable.ARRIVE);
    if (gone) {
      return Ending.NONE;
    }
    boolean local = passed(TraceTable.LOCAL_OUT);
    String before = forward ? "forward" : local ? "output" : "prerouting";
    String after = forward || local ? "postrouting" : "forward";
    boolean ipv4 = seen.destination().getAddress().length == 4;
    String forwarding = ipv4 ? "net.ipv4.ip_forward" : "net.ipv6.conf.all.forwarding";
    boolean atRouting = !forward && !local;
    boolean off = atRouting && "0".equals(seen.sysctls().get(forwarding));
    String filter = atRouting && ipv4 ? strictLink() : "";
    String guess = "unknown";
    String code = "FL188";
    Map<String, String> values =
        Map.of("endpoint", TraceAnalysis.text(seen.destination(), seen.port()));
    if (off) {
      guess = forwarding + " is 0";
      code = "FL147";
      values = Map.of("sysctl", forwarding, "value", "0", "node", context.node());
    } else if (!filter.isEmpty()) {
      guess =
          "reverse path filter on "
              + filter
              + ", and the way back is by "
              + (seen.wayBack().isEmpty() ? "none" : seen.wayBack());
      code = "FL192";
      values = Map.of("interface", filter, "node", context.node());
    }
    hops.add(
        TraceHop.of(
            "route", "nft trace", "lost between " + before + " and " + after + ": " + guess));
    return new Ending(hops.size(), true, code, values);
  }

  /// The interface the packet came in by, when it takes only senders that are reached through it,
  /// and this one is not; else empty. The larger of two settings counts, and 1 is the strict one.
  private String strictLink() {
    String link = seen.links().getOrDefault(packet.events().getFirst().inputInterface(), "");
    int all = number(TraceEvidence.reversePathFilter("all"));
    int own = number(TraceEvidence.reversePathFilter(link));
    boolean strict = Math.max(all, own) == 1;
    return strict && !link.isEmpty() && !link.equals(seen.wayBack()) ? link : "";
  }

  private int number(String sysctl) {
    String value = seen.sysctls().getOrDefault(sysctl, "");
    return value.matches("[0-9]") ? Integer.parseInt(value) : 0;
  }

  private boolean passed(String marker) {
    return packet.events().stream()
        .anyMatch(
            event -> event.table().name().equals(TraceTable.NAME) && event.chain().equals(marker));
  }

  static String percent(double share) {
    return String.format(Locale.ROOT, "%.1f %%", share * 100);
  }

  private static String cut(String text) {
    return text.length() <= LONGEST_RULE ? text : text.substring(0, LONGEST_RULE - 1) + "…";
  }
}
