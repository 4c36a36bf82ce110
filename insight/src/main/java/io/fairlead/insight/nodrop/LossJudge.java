package io.fairlead.insight.nodrop;

import io.fairlead.client.ObjectKey;
import io.fairlead.insight.finding.FindingCode;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/// Says why connections were lost. Pure: the losses, and what happened to the endpoints meanwhile.
///
/// A cause needs evidence. FL187: the pod was told to end before the loss, and the rules of the
/// client's node led there until after it. FL186: an answered connection was cut before the pod's
/// time to end was over. FL185: refused after the pod was told to end or had ended. FL188: no
/// answer came. Where no endpoint was ready at all, that is the cause. What has none of these stays
/// unexplained.
public final class LossJudge {
  static final String UNEXPLAINED = "nodrop.unexplained";
  private static final String NONE_READY = "nodrop.empty";

  private final ObjectKey service;
  private final Map<String, EndpointFate> fates;
  private final TreeMap<Instant, Integer> ready;

  /// @param fates by address
  /// @param ready how many endpoints were ready, from each time on
  public LossJudge(
      ObjectKey service, Map<String, EndpointFate> fates, SortedMap<Instant, Integer> ready) {
    this.service = service;
    this.ready = new TreeMap<>(ready);
    this.fates = Map.copyOf(fates);
  }

  /// What losses have in common.
  ///
  /// @param how of losses that no code explains; of the others it does not matter
  private record Cause(
      Optional<FindingCode> code, String key, String endpoint, ConnectionLoss.How how) {}

  /// Losses by cause and endpoint, in the order they happened.
  public List<LossGroup> judge(List<ConnectionLoss> losses) {
    Map<Cause, List<ConnectionLoss>> groups = new LinkedHashMap<>();
    for (ConnectionLoss loss : losses) {
      Optional<FindingCode> code = code(loss);
      String key =
          code.map(FindingCode::name).orElseGet(() -> isNoneReady(loss) ? NONE_READY : UNEXPLAINED);
      groups
          .computeIfAbsent(
              new Cause(
                  code,
                  key,
                  loss.endpoint(),
                  code.isPresent() ? ConnectionLoss.How.OTHER : loss.how()),
              _ -> new ArrayList<>())
          .add(loss);
    }
    List<LossGroup> judged = new ArrayList<>();
    groups.forEach(
        (cause, all) ->
            judged.add(
                new LossGroup(
                    cause.code(),
                    cause.key(),
                    cause.endpoint(),
                    fate(all.getFirst()).map(EndpointFate::pod).orElse(""),
                    all,
                    values(cause, all))));
    return judged;
  }

  /// Whether no endpoint was ready when it was begun, so that no rule led anywhere.
  private boolean isNoneReady(ConnectionLoss loss) {
    Map.Entry<Instant, Integer> then = ready.floorEntry(begun(loss));
    return loss.endpoint().isEmpty() && then != null && then.getValue() == 0;
  }

  private static Instant begun(ConnectionLoss loss) {
    return loss.at().minusMillis(loss.afterMillis());
  }

  private Optional<EndpointFate> fate(ConnectionLoss loss) {
    return Optional.ofNullable(fates.get(address(loss.endpoint())));
  }

  private static String address(String endpoint) {
    int colon = endpoint.lastIndexOf(':');
    return colon < 0 ? endpoint : endpoint.substring(0, colon).replaceAll("^\\[|\\]$", "");
  }

  private Optional<FindingCode> code(ConnectionLoss loss) {
    Optional<EndpointFate> fate = fate(loss);
    Optional<Instant> told = fate.flatMap(EndpointFate::told).filter(at -> !at.isAfter(loss.at()));
    Optional<Instant> ended =
        fate.flatMap(EndpointFate::ended).filter(at -> !at.isAfter(loss.at()));
    if (!loss.established() && told.isPresent() && lateNode(loss, fate.get()).isPresent()) {
      return Optional.of(FindingCode.FL187);
    }
    boolean cut = loss.how() == ConnectionLoss.How.RESET || loss.how() == ConnectionLoss.How.OTHER;
    if (loss.established() && cut && told.isPresent()) {
      Instant end = told.get().plus(fate.get().grace());
      return loss.at().isBefore(end) ? Optional.of(FindingCode.FL186) : Optional.empty();
    }
    if (loss.how() == ConnectionLoss.How.REFUSED && (told.isPresent() || ended.isPresent())) {
      return Optional.of(FindingCode.FL185);
    }
    boolean unreachable = loss.how() == ConnectionLoss.How.OTHER && !loss.established();
    return loss.how() == ConnectionLoss.How.TIMEOUT || (unreachable && told.isPresent())
        ? Optional.of(FindingCode.FL188)
        : Optional.empty();
  }

  /// The client's node, if its rules are known to have led to the endpoint at the time of the loss.
  private static Optional<Map.Entry<String, Instant>> lateNode(
      ConnectionLoss loss, EndpointFate fate) {
    return fate.withdrawn().entrySet().stream()
        .filter(each -> each.getKey().equals(loss.place()))
        .filter(each -> each.getValue().isAfter(begun(loss)))
        .findFirst();
  }

  private Map<String, String> values(Cause cause, List<ConnectionLoss> losses) {
    Map<String, String> values = new TreeMap<>();
    values.put("count", Integer.toString(losses.size()));
    values.put("endpoint", cause.endpoint().isEmpty() ? "unknown" : cause.endpoint());
    values.put("name", service.name());
    values.put("namespace", service.namespace());
    values.put("how", cause.how().word());
    EndpointFate fate = fate(losses.getFirst()).orElse(null);
    if (fate == null) {
      return values;
    }
    fate.told()
        .or(fate::ended)
        .ifPresent(
            told -> {
              long first = Long.MAX_VALUE;
              long last = 0;
              for (ConnectionLoss loss : losses) {
                Instant when = loss.established() ? loss.at() : begun(loss);
                long after = Math.max(0, Duration.between(told, when).toMillis());
                first = Math.min(first, after);
                last = Math.max(last, after);
              }
              values.put("range", first == last ? first + " ms" : first + "–" + last + " ms");
              lateNode(losses.getFirst(), fate)
                  .ifPresent(
                      node -> {
                        values.put("node", node.getKey());
                        values.put(
                            "late",
                            Math.max(0, Duration.between(told, node.getValue()).toMillis())
                                + " ms");
                      });
            });
    return values;
  }
}
