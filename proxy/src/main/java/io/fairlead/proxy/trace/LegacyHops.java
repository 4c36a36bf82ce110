package io.fairlead.proxy.trace;

import io.fairlead.kernel.nftables.LoggedPacket;
import io.fairlead.proxy.trace.TraceHop.RuleReference;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// The hops of a packet through legacy tables, from what they logged: `TRACE:
/// nat:KUBE-SVC-…:rule:2`. A line names the rule that matched; which chain it led to is the chain
/// of the next line.
final class LegacyHops {
  private static final String VIA = "nf log";
  private static final String ENDPOINT_CHAIN = "KUBE-SEP-";
  private static final Pattern LINE =
      Pattern.compile("TRACE: ([a-z]+):([^:]+):(rule|return|policy):([0-9]+) ?");
  private static final Pattern CHANCE = Pattern.compile("--probability ([0-9.]+)");
  private static final Pattern JUMP = Pattern.compile("-[jg] (\\S+)");

  /// One rule that matched.
  private record Match(String table, String chain, String type, int number) {}

  private final List<Match> matches = new ArrayList<>();
  private final Map<String, List<String>> rules;

  /// @param logged of one packet and its repetitions, in order
  /// @param rules as `iptables-save` prints them, by table and chain
  LegacyHops(List<LoggedPacket> logged, Map<String, List<String>> rules) {
    this.rules = rules;
    for (LoggedPacket each : logged) {
      Matcher line = LINE.matcher(each.prefix());
      if (line.matches()) {
        Match match =
            new Match(line.group(1), line.group(2), line.group(3), Integer.parseInt(line.group(4)));
        // A repetition of the packet meets the same rules again.
        if (!matches.isEmpty() && match.equals(matches.getFirst())) {
          matches.clear();
        }
        matches.add(match);
      }
    }
  }

  boolean isEmpty() {
    return matches.isEmpty();
  }

  /// Adds what there is to say.
  ///
  /// @return how the way ended, when a rule ended it
  ChainHops.Ending addTo(List<TraceHop> hops, TraceContext context) {
    List<String> path = new ArrayList<>();
    for (Match match : matches) {
      String target = target(match).orElse("");
      if (match.table().equals("nat") && match.type().equals("rule")) {
        if (target.startsWith(ENDPOINT_CHAIN)) {
          close(path, hops);
          hops.add(choice(match, target));
        } else if (isService(target)) {
          path.add(target);
        }
      }
      if (target.equals("REJECT") || target.equals("DROP")) {
        close(path, hops);
        return ended(match, target, hops, context);
      }
    }
    close(path, hops);
    return ChainHops.Ending.NONE;
  }

  private static boolean isService(String chain) {
    return chain.startsWith("KUBE-S")
        || chain.startsWith("KUBE-EXT")
        || chain.startsWith("KUBE-NODEPORTS")
        || chain.startsWith("KUBE-FW");
  }

  private static void close(List<String> path, List<TraceHop> hops) {
    if (!path.isEmpty()) {
      hops.add(TraceHop.of("nat", VIA, String.join(" → ", path)).in("nat", path.getLast()));
      path.clear();
    }
  }

  private Optional<String> target(Match match) {
    return text(match).map(JUMP::matcher).filter(Matcher::find).map(found -> found.group(1));
  }

  private Optional<String> text(Match match) {
    List<String> all = rules.getOrDefault(match.table() + " " + match.chain(), List.of());
    return match.type().equals("rule") && match.number() >= 1 && match.number() <= all.size()
        ? Optional.of(all.get(match.number() - 1))
        : Optional.empty();
  }

  /// The rule that took the packet to one endpoint, with the part of connections it stands for.
  private TraceHop choice(Match match, String chain) {
    List<String> all = rules.getOrDefault(match.table() + " " + match.chain(), List.of());
    int number = 0;
    int count = 0;
    double left = 1;
    double share = -1;
    for (int i = 0; i < all.size(); i++) {
      Matcher jump = JUMP.matcher(all.get(i));
      if (!jump.find() || !jump.group(1).startsWith(ENDPOINT_CHAIN)) {
        continue;
      }
      count++;
      Matcher chance = CHANCE.matcher(all.get(i));
      double own = chance.find() ? Double.parseDouble(chance.group(1)) : 1;
      if (i + 1 == match.number()) {
        number = count;
        share = left * own;
      }
      left *= 1 - own;
    }
    return TraceHop.of(
            "nat",
            VIA,
            "rule "
                + number
                + " of "
                + count
                + (share < 0 ? "" : " = " + ChainHops.percent(share))
                + " → "
                + chain)
        .in(match.table(), match.chain())
        .by(new RuleReference(0, match.number(), all.size(), text(match).orElse("")), "jump")
        .withShare(share);
  }

  private ChainHops.Ending ended(
      Match match, String target, List<TraceHop> hops, TraceContext context) {
    String rule = text(match).orElse("");
    boolean rejects = target.equals("REJECT");
    hops.add(
        TraceHop.of(
                match.table().equals("nat") ? "nat" : "filter",
                VIA,
                (rejects ? "rejected by " : "dropped by ")
                    + match.table()
                    + " "
                    + match.chain()
                    + " rule "
                    + match.number())
            .in(match.table(), match.chain())
            .by(
                new RuleReference(
                    0,
                    match.number(),
                    rules.getOrDefault(match.table() + " " + match.chain(), List.of()).size(),
                    rule),
                rejects ? "reject" : "drop"));
    return new ChainHops.Ending(
        hops.size(),
        false,
        match.chain().startsWith("KUBE-") ? TraceAnalysis.ownDropCode(context) : "FL146",
        Map.of("table", match.table(), "chain", match.chain(), "rule", rule));
  }
}
