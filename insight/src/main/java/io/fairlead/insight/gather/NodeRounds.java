package io.fairlead.insight.gather;

import io.fairlead.client.ListOptions;
import io.fairlead.client.ResourceType;
import io.fairlead.client.lease.ProxyReport;
import io.fairlead.client.objects.V1Condition;
import io.fairlead.client.objects.V1Node;
import io.fairlead.insight.evidence.AboutReport;
import io.fairlead.insight.evidence.Evidence;
import io.fairlead.insight.evidence.Source;
import io.fairlead.insight.progress.NodeProgress;
import io.fairlead.insight.progress.ProgressGoal;
import io.fairlead.work.Ticker;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/// Asks nodes, round after round, whether their rules show what they should. Owned by one thread.
final class NodeRounds {
  private static final int MANY = 5000;

  /// How long a node holds its answer back until it has good news.
  private static final Duration LONG_POLL = Duration.ofSeconds(2);

  /// How much longer an answer may take on its way.
  private static final Duration WAY = Duration.ofSeconds(3);

  private final Sources sources;
  private final InstantSource clock;
  private final Ticker ticker;
  private final long start;
  private final ProgressGoal goal;
  private final Map<String, NodeProgress> progress = new TreeMap<>();
  private final Set<String> left = new TreeSet<>();

  /// @param start when waiting began, by the ticker
  NodeRounds(Sources sources, InstantSource clock, Ticker ticker, long start, ProgressGoal goal) {
    this.sources = sources;
    this.clock = clock;
    this.ticker = ticker;
    this.start = start;
    this.goal = goal;
  }

  /// One round.
  ///
  /// @param only these nodes; empty for all
  /// @return nodes with a proxy that does not say how far it is
  List<String> ask(List<String> only, Duration remaining) {
    Map<String, ProxyReport> reports = reports();
    Instant now = clock.instant();
    Set<String> wanted = new TreeSet<>(only);
    List<String> silent = new ArrayList<>();
    if (only.isEmpty()) {
      reports.values().stream()
          .filter(report -> report.lives(now))
          .forEach(report -> wanted.add(report.node()));
      readyNodes().stream().filter(node -> !reports.containsKey(node)).forEach(silent::add);
    }
    // One that was there and lives no more is not waited for.
    for (String node : List.copyOf(progress.keySet())) {
      if (only.isEmpty() && !wanted.contains(node)) {
        progress.remove(node);
        left.add(node);
      }
    }
    wanted.removeIf(node -> progress.containsKey(node) && progress.get(node).isDone());
    Map<String, Questions.Pending<Arrived>> asked = new TreeMap<>();
    try (Questions questions = new Questions(ticker, hold(remaining).plus(WAY))) {
      for (String node : wanted) {
        asked.put(node, questions.ask(() -> about(node, hold(remaining))));
      }
      asked.forEach(
          (node, pending) -> {
            Optional<ProxyReport> report = Optional.ofNullable(reports.get(node));
            Optional<NodeProgress> found = judge(node, pending.await(), report);
            found.ifPresentOrElse(one -> progress.put(node, one), () -> silent.add(node));
          });
    }
    return silent;
  }

  private static Duration hold(Duration remaining) {
    return remaining.compareTo(LONG_POLL) < 0
        ? Duration.ofSeconds(Math.max(0, remaining.toSeconds()))
        : LONG_POLL;
  }

  /// An answer and when it came.
  private record Arrived(AboutReport about, long at) {}

  private Evidence<Arrived> about(String node, Duration hold) {
    String slices = goal.newestSlice();
    return sources
        .node(
            node,
            "about?servicesAfter="
                + goal.services()
                + (slices.isEmpty() ? "" : "&slicesAfter=" + slices)
                + "&wait="
                + hold.toSeconds())
        .map(document -> new Arrived(AboutReport.of(document), ticker.nanos()));
  }

  /// Empty when nothing is known of the node.
  private Optional<NodeProgress> judge(
      String node, Evidence<Arrived> answer, Optional<ProxyReport> report) {
    Optional<Instant> heard = report.map(ProxyReport::heard);
    Optional<Arrived> arrived = answer.value();
    if (arrived.isPresent()) {
      AboutReport about = arrived.get().about();
      boolean done = goal.isReached(about.writtenServices(), about.writtenSlices());
      return Optional.of(
          new NodeProgress(
              node,
              done ? Optional.of(millis(arrived.get().at())) : Optional.empty(),
              about.writtenServices(),
              about.writtenSlices(),
              Source.KERNEL,
              heard));
    }
    return report.map(
        one ->
            new NodeProgress(
                node,
                goal.isReached("", one.written())
                    ? Optional.of(millis(ticker.nanos()))
                    : Optional.empty(),
                "",
                one.written(),
                Source.API,
                heard));
  }

  private long millis(long at) {
    return (at - start) / 1_000_000;
  }

  private Map<String, ProxyReport> reports() {
    Map<String, ProxyReport> byNode = new HashMap<>();
    sources
        .list(
            ResourceType.LEASES,
            ProxyReport.NAMESPACE,
            ListOptions.ALL.labelled(ProxyReport.LABEL + "=true"),
            MANY,
            ProxyReport::of)
        .value()
        .orElse(List.of())
        .forEach(report -> byNode.put(report.node(), report));
    return byNode;
  }

  private List<String> readyNodes() {
    return sources
        .list(ResourceType.NODES, "", ListOptions.ALL, MANY, V1Node::of)
        .value()
        .orElse(List.of())
        .stream()
        .filter(node -> node.condition("Ready").map(V1Condition::isTrue).orElse(false))
        .map(node -> node.metadata().name())
        .toList();
  }

  boolean isDone() {
    return !progress.isEmpty() && progress.values().stream().allMatch(NodeProgress::isDone);
  }

  List<NodeProgress> progress() {
    return List.copyOf(progress.values());
  }

  /// Nodes that stopped living meanwhile.
  List<String> left() {
    return List.copyOf(left);
  }
}
