package io.fairlead.proxy.runtime;

import io.fairlead.api.net.IpAddress;
import io.fairlead.proxy.core.Backend;
import io.fairlead.proxy.core.Front;
import io.fairlead.proxy.core.Plan;
import io.fairlead.proxy.core.ServicePlan;
import io.fairlead.proxy.core.UnusedBackend;
import io.fairlead.proxy.core.Verdict;
import java.util.Collection;
import java.util.List;
import java.util.stream.Collectors;

/// Writes a plan for people: every front with its verdict, every endpoint left out with the reason.
public final class PlanText {
  private PlanText() {}

  /// All families in one line.
  static String summary(String mode, Collection<SyncLoop> loops) {
    int services = loops.stream().mapToInt(loop -> loop.written().services().size()).sum();
    int endpoints = loops.stream().mapToInt(loop -> loop.written().endpointCount()).sum();
    long took = loops.stream().mapToLong(loop -> loop.lastTook().toMillis()).max().orElse(0);
    return mode
        + ", "
        + services
        + " services, "
        + endpoints
        + " endpoints, last sync "
        + took
        + " ms";
  }

  static void write(StringBuilder text, IpAddress.Family family, Plan plan, String failure) {
    text.append(family).append(failure.isEmpty() ? "" : ", last attempt failed: " + failure);
    text.append('\n');
    plan.sorted().forEach(service -> write(text, service));
  }

  /// One service port.
  public static void write(StringBuilder text, ServicePlan service) {
    text.append(service.name()).append('\n');
    for (Front front : service.fronts()) {
      text.append("  ").append(destination(front)).append("  ").append(verdict(front)).append('\n');
    }
    for (UnusedBackend unused : service.choice().unused()) {
      text.append("  not used: ")
          .append(unused.backend().text())
          .append("  ")
          .append(unused.why())
          .append('\n');
    }
  }

  private static String destination(Front front) {
    IpAddress address = front.address();
    return front.kind()
        + " "
        + (address == null
            ? "*:" + front.port()
            : Backend.ready(address, front.port(), false).text());
  }

  private static String verdict(Front front) {
    String inside = front.inside().isEmpty() ? "" : ", from this node to " + list(front.inside());
    String sources = front.sources().isEmpty() ? "" : ", only from " + front.sources();
    return switch (front.verdict()) {
          case Verdict.Forward(List<Backend> to, Verdict.Masquerade masquerade) ->
              "to " + list(to) + ", masquerade " + masquerade;
          case Verdict.Reject(Verdict.Reason why) -> "rejected: " + why.text();
          case Verdict.Drop(Verdict.Reason why) -> "dropped: " + why.text();
        }
        + inside
        + sources;
  }

  private static String list(List<Backend> endpoints) {
    return endpoints.stream().map(Backend::text).collect(Collectors.joining(" "));
  }
}
