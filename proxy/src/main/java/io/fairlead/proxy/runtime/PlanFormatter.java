package io.fairlead.proxy.runtime;

import io.fairlead.api.net.IpAddress;
import io.fairlead.proxy.core.Backend;
import io.fairlead.proxy.core.Frontend;
import io.fairlead.proxy.core.Plan;
import io.fairlead.proxy.core.ProxyMode;
import io.fairlead.proxy.core.ServicePlan;
import io.fairlead.proxy.core.TrafficVerdict;
import io.fairlead.proxy.core.UnusedBackend;
import java.util.Collection;
import java.util.List;
import java.util.stream.Collectors;

/// Writes a plan for people: every front with its verdict, every endpoint left out with the reason.
public final class PlanFormatter {
  private PlanFormatter() {}

  /// All families in one line.
  static String summary(ProxyMode mode, Collection<FamilyReconciler> reconcilers) {
    int services = reconcilers.stream().mapToInt(each -> each.written().services().size()).sum();
    int endpoints = reconcilers.stream().mapToInt(each -> each.written().endpointCount()).sum();
    long took = reconcilers.stream().mapToLong(each -> each.lastTook().toMillis()).max().orElse(0);
    return mode
        + ", "
        + count(services, "service")
        + ", "
        + count(endpoints, "endpoint")
        + ", last sync "
        + took
        + " ms";
  }

  private static String count(int number, String noun) {
    return number + " " + noun + (number == 1 ? "" : "s");
  }

  static void write(StringBuilder text, IpAddress.Family family, Plan plan, String failure) {
    text.append(family).append(failure.isEmpty() ? "" : ", last attempt failed: " + failure);
    text.append('\n');
    plan.sorted().forEach(service -> write(text, service));
  }

  /// One service port.
  public static void write(StringBuilder text, ServicePlan service) {
    text.append(service.name()).append('\n');
    for (Frontend front : service.fronts()) {
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

  private static String destination(Frontend front) {
    IpAddress address = front.address();
    return front.kind()
        + " "
        + (address == null
            ? "*:" + front.port()
            : Backend.ready(address, front.port(), false).text());
  }

  private static String verdict(Frontend front) {
    String inside = front.inside().isEmpty() ? "" : ", from this node to " + list(front.inside());
    String sources = front.sources().isEmpty() ? "" : ", only from " + front.sources();
    return switch (front.verdict()) {
          case TrafficVerdict.Forward(List<Backend> to, TrafficVerdict.Masquerade masquerade) ->
              "to " + list(to) + ", masquerade " + masquerade;
          case TrafficVerdict.Reject(TrafficVerdict.Reason why) -> "rejected: " + why.text();
          case TrafficVerdict.Drop(TrafficVerdict.Reason why) -> "dropped: " + why.text();
        }
        + inside
        + sources;
  }

  private static String list(List<Backend> endpoints) {
    return endpoints.stream().map(Backend::text).collect(Collectors.joining(" "));
  }
}
