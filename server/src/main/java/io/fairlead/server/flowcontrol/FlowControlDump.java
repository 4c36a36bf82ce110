package io.fairlead.server.flowcontrol;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// What priority levels and queues do now, as tables for people, with the columns of the pages that
/// kube-apiserver serves below `/debug/api_priority_and_fairness/`.
public final class FlowControlDump {
  private static final List<String> LEVEL_COLUMNS =
      List.of(
          "PriorityLevelName",
          "ActiveQueues",
          "IsIdle",
          "IsQuiescing",
          "WaitingRequests",
          "ExecutingRequests",
          "DispatchedRequests",
          "RejectedRequests",
          "TimedoutRequests",
          "CancelledRequests");
  private static final List<String> QUEUE_COLUMNS =
      List.of("PriorityLevelName", "Index", "PendingRequests", "ExecutingRequests");

  private final SeatDispatcher dispatcher;

  FlowControlDump(SeatDispatcher dispatcher) {
    this.dispatcher = dispatcher;
  }

  /// The page of that name, such as `dump_priority_levels`; empty when there is none.
  public Optional<String> page(String name) {
    return switch (name) {
      case "dump_priority_levels" -> Optional.of(levels());
      case "dump_queues" -> Optional.of(queues());
      default -> Optional.empty();
    };
  }

  private String levels() {
    Map<String, Long> dispatched = new LinkedHashMap<>();
    Map<String, Map<Refusal, Long>> refused = new LinkedHashMap<>();
    for (FlowCounts flow : dispatcher.flows()) {
      dispatched.merge(flow.level(), flow.dispatched(), Long::sum);
      Map<Refusal, Long> ofLevel =
          refused.computeIfAbsent(flow.level(), _ -> new EnumMap<>(Refusal.class));
      flow.refused().forEach((why, count) -> ofLevel.merge(why, count, Long::sum));
    }
    List<List<String>> rows = new ArrayList<>();
    rows.add(LEVEL_COLUMNS);
    for (SeatDispatcher.LevelCounts level : dispatcher.levels()) {
      String name = level.spec().name();
      Map<Refusal, Long> no = refused.getOrDefault(name, Map.of());
      long full =
          no.getOrDefault(Refusal.CONCURRENCY_LIMIT, 0L) + no.getOrDefault(Refusal.QUEUE_FULL, 0L);
      rows.add(
          List.of(
              name,
              Long.toString(level.queues().stream().filter(each -> each.waiting() > 0).count()),
              Boolean.toString(level.inUse() == 0 && level.waiting() == 0),
              Boolean.toString(level.leaving()),
              Integer.toString(level.waiting()),
              Integer.toString(level.inUse()),
              Long.toString(dispatched.getOrDefault(name, 0L)),
              Long.toString(full),
              Long.toString(no.getOrDefault(Refusal.TIME_OUT, 0L)),
              Long.toString(no.getOrDefault(Refusal.CANCELLED, 0L))));
    }
    return table(rows);
  }

  /// Only the queues that hold requests, or serve them.
  private String queues() {
    List<List<String>> rows = new ArrayList<>();
    rows.add(QUEUE_COLUMNS);
    for (SeatDispatcher.LevelCounts level : dispatcher.levels()) {
      for (SeatDispatcher.QueueCounts queue : level.queues()) {
        rows.add(
            List.of(
                level.spec().name(),
                Integer.toString(queue.index()),
                Integer.toString(queue.waiting()),
                Integer.toString(queue.executing())));
      }
    }
    return table(rows);
  }

  /// Columns as wide as their longest cell.
  private static String table(List<List<String>> rows) {
    int columns = rows.getFirst().size();
    int[] widths = new int[columns];
    for (List<String> row : rows) {
      for (int i = 0; i < columns; i++) {
        widths[i] = Math.max(widths[i], row.get(i).length() + 1);
      }
    }
    StringBuilder text = new StringBuilder();
    for (List<String> row : rows) {
      for (int i = 0; i < columns; i++) {
        boolean last = i == columns - 1;
        String cell = row.get(i) + (last ? "" : ",");
        text.append(cell);
        text.repeat(' ', last ? 0 : widths[i] - cell.length() + 1);
      }
      text.append('\n');
    }
    return text.toString();
  }
}
