package io.fairlead.proxy.nodeapi;

import io.fairlead.api.json.Json;
import io.fairlead.api.net.IpAddress;
import io.fairlead.api.status.ApiException;
import io.fairlead.client.ObjectKey;
import io.fairlead.proxy.core.AuditReport;
import io.fairlead.proxy.core.Backend;
import io.fairlead.proxy.core.DataPlaneSnapshot;
import io.fairlead.proxy.core.Frontend;
import io.fairlead.proxy.core.Plan;
import io.fairlead.proxy.core.ProxyMode;
import io.fairlead.proxy.core.ServicePlan;
import io.fairlead.proxy.core.TrafficVerdict;
import io.fairlead.proxy.core.UnusedBackend;
import io.fairlead.proxy.runtime.WrittenState;
import io.fairlead.work.Pacer;
import io.fairlead.work.Ticker;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// `rules` and `rules/summary`: what the rules should be against what the kernel has.
///
/// A reading of the kernel while rules are being written can differ from either plan. So a
/// difference counts only when a second reading, a moment later, still shows it.
final class RulesDocument {
  private static final Duration AGAIN = Duration.ofMillis(300);
  private static final int MOST_NAMES = 1000;
  private static final int MOST_DRIFT = 5;

  /// How many missing or extra entries are shown of one service port.
  private static final int MOST_LINES = 20;

  /// How many service ports are looked at one by one when the whole differs.
  private static final int MOST_SINGLE = 200;

  private static final double NANOS_PER_MILLI = 1e6;

  private final NodeView view;
  private final InstantSource clock;
  private final Ticker ticker;
  private final Pacer pacer;

  RulesDocument(NodeView view, InstantSource clock, Ticker ticker, Pacer pacer) {
    this.view = view;
    this.clock = clock;
    this.ticker = ticker;
    this.pacer = pacer;
  }

  private static boolean canAudit(ProxyMode mode) {
    return mode == ProxyMode.NFTABLES || mode == ProxyMode.IPTABLES;
  }

  ObjectNode answer(NodeApiRequest request) throws InterruptedException {
    String namespace = request.text("namespace");
    String service = request.text("service");
    if (service.isEmpty()) {
      throw ApiException.badRequest("name a Service: ?namespace=NS&service=NAME");
    }
    ProxyMode mode = view.mode();
    ObjectNode document =
        Json.object()
            .put("kind", "NodeRules")
            .put("node", view.nodeName())
            .put("mode", mode.toString())
            .put("namespace", namespace)
            .put("service", service);
    ArrayNode families = document.putArray("families");
    for (IpAddress.Family family : view.written().keySet()) {
      Plan plan = only(family, new ObjectKey(namespace, service));
      if (plan.services().size() > 0) {
        family(families.addObject(), family, mode, plan);
      }
    }
    drift(document.putArray("drift"));
    return document;
  }

  /// What other programs changed in the last hour, the newest first.
  private void drift(ArrayNode out) {
    Instant since = clock.instant().minus(Duration.ofHours(1));
    view.changes().newest(MOST_NAMES).changes().reversed().stream()
        .filter(change -> change.kind().equals("drift") && change.at().isAfter(since))
        .limit(MOST_DRIFT)
        .forEach(change -> out.add(change.toJson()));
  }

  private Plan only(IpAddress.Family family, ObjectKey service) {
    WrittenState state = view.written().get(family);
    if (state == null) {
      throw new IllegalStateException("no rules of " + family);
    }
    return Plan.of(
        state.plan().node(),
        state.plan().sorted().stream()
            .filter(each -> each.name().service().equals(service))
            .toList());
  }

  private void family(ObjectNode out, IpAddress.Family family, ProxyMode mode, Plan plan)
      throws InterruptedException {
    out.put("family", family.toString());
    Map<io.fairlead.proxy.core.ServicePortName, DataPlaneSnapshot.Traffic> traffic = Map.of();
    if (canAudit(mode)) {
      AuditReport audit = view.audit(mode, plan);
      if (!audit.agrees()) {
        pacer.pause(AGAIN);
        audit = view.audit(mode, plan);
      }
      traffic = audit.traffic();
      out.put("present", audit.present()).put("agrees", audit.agrees());
      audit.missing().forEach(out.putArray("missing")::add);
      audit.extra().forEach(out.putArray("extra")::add);
      out.put("connections", audit.connections());
    } else {
      out.putNull("present").putNull("agrees");
      out.putArray("missing");
      out.putArray("extra");
      out.putNull("connections");
    }
    ArrayNode ports = out.putArray("ports");
    for (ServicePlan each : plan.sorted()) {
      port(ports.addObject(), each, traffic.get(each.name()));
    }
  }

  private static void port(
      ObjectNode out,
      ServicePlan service,
      DataPlaneSnapshot.@org.jspecify.annotations.Nullable Traffic traffic) {
    out.put("port", service.name().port()).put("protocol", service.name().protocol().name());
    if (traffic == null) {
      out.putNull("counters");
    } else {
      out.putObject("counters").put("packets", traffic.packets()).put("bytes", traffic.bytes());
    }
    ArrayNode fronts = out.putArray("fronts");
    service.fronts().forEach(front -> front(fronts.addObject(), front));
    ArrayNode unused = out.putArray("unused");
    for (UnusedBackend each : service.choice().unused()) {
      backend(unused.addObject(), each.backend()).put("reason", each.why().name());
    }
  }

  private static void front(ObjectNode out, Frontend front) {
    out.put("kind", front.kind().name());
    if (front.address() == null) {
      out.putNull("address");
    } else {
      out.put("address", front.address().toString());
    }
    out.put("port", front.port());
    switch (front.verdict()) {
      case TrafficVerdict.Forward(List<Backend> to, TrafficVerdict.Masquerade masquerade) -> {
        out.put("verdict", "forward").put("masquerade", masquerade.name());
        backends(out.putArray("backends"), to);
      }
      case TrafficVerdict.Reject(TrafficVerdict.Reason why) -> {
        out.put("verdict", "reject").put("reason", why.name());
        out.putArray("backends");
      }
      case TrafficVerdict.Drop(TrafficVerdict.Reason why) -> {
        out.put("verdict", "drop").put("reason", why.name());
        out.putArray("backends");
      }
    }
    backends(out.putArray("inside"), front.inside());
    front.sources().forEach(range -> out.withArray("sources").add(range.toString()));
  }

  private static void backends(ArrayNode out, List<Backend> backends) {
    backends.forEach(each -> backend(out.addObject(), each));
  }

  private static ObjectNode backend(ObjectNode out, Backend backend) {
    return out.put("address", backend.address().toString())
        .put("port", backend.port())
        .put("local", backend.local());
  }

  /// The whole node.
  ObjectNode summary() throws InterruptedException {
    long start = ticker.nanos();
    ProxyMode mode = view.mode();
    int ports = 0;
    int differing = 0;
    ArrayNode names = Json.array();
    ArrayNode differences = Json.array();
    Set<ObjectKey> services = new HashSet<>();
    boolean known = canAudit(mode);
    for (IpAddress.Family family : view.written().keySet()) {
      Plan plan = plan(family);
      ports += plan.services().size();
      plan.sorted().forEach(each -> services.add(each.name().service()));
      if (known && !view.audit(mode, plan).agrees()) {
        pacer.pause(AGAIN);
        plan = plan(family);
        if (!view.audit(mode, plan).agrees()) {
          differing += differing(mode, plan, names, differences);
        }
      }
    }
    ObjectNode document =
        Json.object()
            .put("kind", "NodeRulesSummary")
            .put("node", view.nodeName())
            .put("mode", mode.toString())
            .put("services", services.size())
            .put("servicePorts", ports);
    if (known) {
      document.put("agreeing", ports - differing).put("differing", differing);
    } else {
      document.putNull("agreeing").putNull("differing");
    }
    document.set("names", names);
    document.set("differences", differences);
    return document.put("tookMillis", (ticker.nanos() - start) / NANOS_PER_MILLI);
  }

  private Plan plan(IpAddress.Family family) {
    WrittenState state = view.written().get(family);
    if (state == null) {
      throw new IllegalStateException("no rules of " + family);
    }
    return state.plan();
  }

  /// Which service ports differ: the kernel is asked about each alone. At least one does, also when
  /// none of those looked at is it.
  private int differing(ProxyMode mode, Plan plan, ArrayNode names, ArrayNode differences) {
    int differing = 0;
    int looked = 0;
    for (ServicePlan each : plan.sorted()) {
      if (++looked > MOST_SINGLE) {
        break;
      }
      AuditReport audit = view.audit(mode, Plan.of(plan.node(), List.of(each)));
      if (!audit.agrees()) {
        differing++;
        difference(differences, each, audit);
        if (names.size() < MOST_NAMES) {
          names.add(each.name().toString());
        }
      }
    }
    return Math.max(1, differing);
  }

  private static void difference(ArrayNode out, ServicePlan service, AuditReport audit) {
    if (out.size() < MOST_NAMES) {
      ObjectNode one =
          out.addObject()
              .put("namespace", service.name().service().namespace())
              .put("service", service.name().service().name())
              .put("port", service.name().port())
              .put("family", service.port().family().toString());
      audit.missing().stream().limit(MOST_LINES).forEach(one.putArray("missing")::add);
      audit.extra().stream().limit(MOST_LINES).forEach(one.putArray("extra")::add);
    }
  }
}
