package io.fairlead.proxy.iptables;

import io.fairlead.api.net.Cidr;
import io.fairlead.api.net.IpAddress;
import io.fairlead.proxy.flows.FlowEnd;
import io.fairlead.proxy.flows.Packet;
import io.fairlead.proxy.testing.FakeIptables;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// Walks a new connection through the tables of a node, rule by rule, and follows every throw of
/// the dice. Written from the manual of iptables, not from our rules.
final class RuleWalker {
  /// A connection on its way.
  private record State(IpAddress to, int port, int mark, String verdict) {
    State end(String how) {
      return new State(to, port, mark, how);
    }

    boolean open() {
      return verdict.isEmpty();
    }
  }

  private final FakeIptables rules;
  private final Set<IpAddress> nodeAddresses;
  private final Packet packet;

  private RuleWalker(FakeIptables rules, Set<IpAddress> nodeAddresses, Packet packet) {
    this.rules = rules;
    this.nodeAddresses = nodeAddresses;
    this.packet = packet;
  }

  static Set<FlowEnd> walk(FakeIptables rules, Set<IpAddress> nodeAddresses, Packet packet) {
    return new RuleWalker(rules, nodeAddresses, packet).run();
  }

  private Set<FlowEnd> run() {
    Set<FlowEnd> ends = new HashSet<>();
    State start = new State(packet.to(), packet.port(), 0, "");
    for (State routed : chain("nat", packet.fromNode() ? "OUTPUT" : "PREROUTING", start)) {
      boolean rewritten = routed.verdict.equals("DNAT");
      String hook = packet.fromNode() ? "OUTPUT" : isLocal(routed.to) ? "INPUT" : "FORWARD";
      for (State filtered : chain("filter", hook, routed.end(""), rewritten)) {
        ends.addAll(
            switch (filtered.verdict) {
              case "REJECT" -> Set.of(new FlowEnd.Rejected());
              case "DROP" -> Set.of(new FlowEnd.Dropped());
              default -> leave(filtered.end(""), rewritten);
            });
      }
    }
    return ends;
  }

  private Set<FlowEnd> leave(State state, boolean rewritten) {
    Set<FlowEnd> ends = new HashSet<>();
    for (State left : chain("nat", "POSTROUTING", state)) {
      ends.add(new FlowEnd.Sent(left.to, left.port, rewritten, left.verdict.equals("MASQUERADE")));
    }
    return ends;
  }

  private List<State> chain(String table, String chain, State in) {
    return chain(table, chain, in, false);
  }

  /// All states in which a connection can leave a chain; open ones come back to the caller.
  private List<State> chain(String table, String chain, State in, boolean rewritten) {
    List<State> done = new ArrayList<>();
    List<State> here = List.of(in);
    for (String rule : rules.rules(table, chain)) {
      List<String> words = RuleNormalizer.words(rule);
      List<State> next = new ArrayList<>();
      for (State state : here) {
        switch (match(words, state, rewritten)) {
          case NO -> next.add(state);
          case MAYBE -> {
            next.add(state);
            act(table, words, state, rewritten, done, next);
          }
          case YES -> act(table, words, state, rewritten, done, next);
        }
      }
      here = next;
    }
    done.addAll(here);
    return done;
  }

  private void act(
      String table,
      List<String> words,
      State state,
      boolean rewritten,
      List<State> done,
      List<State> next) {
    int jump = words.indexOf("-j");
    if (jump < 0) {
      next.add(state);
      return;
    }
    String target = words.get(jump + 1);
    switch (target) {
      case "ACCEPT", "DROP", "REJECT", "MASQUERADE" -> done.add(state.end(target));
      // Only the outcome of the chain itself matters to its caller.
      case "RETURN" -> done.add(state);
      case "MARK" -> next.add(marked(words, state));
      case "DNAT" -> done.add(rewritten(words.get(words.indexOf("--to-destination") + 1), state));
      default -> {
        for (State after : chain(table, target, state, rewritten)) {
          (after.open() ? next : done).add(after);
        }
      }
    }
  }

  private static State marked(List<String> words, State state) {
    int or = words.indexOf("--or-mark");
    int bit = Integer.decode(words.get((or >= 0 ? or : words.indexOf("--xor-mark")) + 1));
    int mark = or >= 0 ? state.mark | bit : state.mark ^ bit;
    return new State(state.to, state.port, mark, "");
  }

  private static State rewritten(String target, State state) {
    int colon = target.lastIndexOf(':');
    String address = target.substring(0, colon).replace("[", "").replace("]", "");
    int port = Integer.parseInt(target, colon + 1, target.length(), 10);
    return new State(IpAddress.parse(address), port, state.mark, "DNAT");
  }

  private enum Match {
    NO,
    MAYBE,
    YES
  }

  private Match match(List<String> words, State state, boolean rewritten) {
    Match result = Match.YES;
    boolean not = false;
    for (int i = 0; i < words.size() && !words.get(i).equals("-j"); i++) {
      String word = words.get(i);
      if (word.equals("!")) {
        not = true;
        continue;
      }
      String value = i + 1 < words.size() ? words.get(i + 1) : "";
      boolean holds =
          switch (word) {
            case "-s" -> within(value, packet.source());
            case "-d" -> within(value, state.to);
            case "-p" -> value.equals(packet.protocol().lower());
            case "--dport" -> Integer.parseInt(value) == state.port;
            case "--dst-type" -> isLocal(state.to);
            case "--src-type" -> packet.fromNode();
            case "--ctstate" -> value.contains("NEW") || (rewritten && value.contains("DNAT"));
            case "--mark" -> (state.mark & Integer.decode(value.split("/")[0])) != 0;
            // A client that was never here before.
            case "--rcheck" -> false;
            case "--probability" -> {
              result = Match.MAYBE;
              yield true;
            }
            default -> true;
          };
      if (word.startsWith("-") && !word.equals("-m")) {
        if (holds == not) {
          return Match.NO;
        }
        not = false;
      }
    }
    return result;
  }

  private static boolean within(String range, IpAddress address) {
    return range.contains("/")
        ? Cidr.parse(range).contains(address)
        : IpAddress.parse(range).equals(address);
  }

  private boolean isLocal(IpAddress address) {
    return address.isLoopback() || nodeAddresses.contains(address);
  }
}
