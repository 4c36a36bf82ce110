package io.fairlead.app.command;

import io.fairlead.api.json.Json;
import io.fairlead.api.net.IpAddress;
import io.fairlead.insight.gather.ThisMachine;
import io.fairlead.insight.simulate.RenderedRules;
import io.fairlead.proxy.core.AuditReport;
import io.fairlead.proxy.core.Backend;
import io.fairlead.proxy.core.DataPlaneException;
import io.fairlead.proxy.core.Frontend;
import io.fairlead.proxy.core.Plan;
import io.fairlead.proxy.core.ProxyMode;
import io.fairlead.proxy.core.ServicePlan;
import io.fairlead.proxy.core.TrafficVerdict;
import io.fairlead.proxy.core.UnusedBackend;
import io.fairlead.proxy.mode.ProxyModes;
import io.fairlead.proxy.runtime.PlanFormatter;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// What one node does with one Service: verdicts, reasons, and the rules in each mode.
///
/// @param node as its proxy sees it
/// @param runs whether a proxy runs on this machine
/// @param slices those of the Service
record RulesView(ThisMachine node, boolean runs, ObjectNode service, List<ObjectNode> slices) {
  /// In the order they are shown.
  static final List<ProxyMode> MODES =
      List.of(ProxyMode.IPTABLES, ProxyMode.NFTABLES, ProxyMode.IPVS, ProxyMode.USERSPACE);

  ProxyMode active() {
    return node.mode();
  }

  String name() {
    return Json.textOr(service, "", "metadata", "name");
  }

  Plan plan(ProxyMode mode, IpAddress.Family family) {
    return node.plan(mode, family, service, slices);
  }

  /// Whether no proxy does anything for it.
  boolean isEmpty() {
    for (IpAddress.Family family : IpAddress.Family.values()) {
      if (plan(active(), family).services().size() > 0) {
        return false;
      }
    }
    return true;
  }

  /// For people: verdicts once, then the rules of each mode.
  String text(List<ProxyMode> modes) {
    StringBuilder text = new StringBuilder();
    boolean first = true;
    for (ProxyMode mode : modes) {
      for (IpAddress.Family family : IpAddress.Family.values()) {
        Plan plan = plan(mode, family);
        if (plan.services().size() == 0) {
          continue;
        }
        if (first) {
          plan.sorted().forEach(port -> PlanFormatter.write(text, port));
        }
        text.append("\n# ").append(mode).append(' ').append(family);
        text.append(runs && mode == active() ? " (active)" : "");
        connections(mode, plan)
            .ifPresent(count -> text.append(", ").append(count).append(" new connections so far"));
        text.append('\n');
        RenderedRules.of(mode, plan).forEach(line -> text.append(line).append('\n'));
      }
      first = false;
    }
    return text.toString();
  }

  /// How many connections the kernel has counted; empty for another mode than the active one, and
  /// where the kernel cannot be asked.
  private OptionalLong connections(ProxyMode mode, Plan plan) {
    if (!runs || mode != active() || (mode != ProxyMode.NFTABLES && mode != ProxyMode.IPTABLES)) {
      return OptionalLong.empty();
    }
    try {
      AuditReport audit = ProxyModes.audit(mode, plan);
      return audit.present() ? OptionalLong.of(audit.connections()) : OptionalLong.empty();
    } catch (DataPlaneException _) {
      // Only root may look.
      return OptionalLong.empty();
    }
  }

  /// For programs: the document `Rules`.
  ObjectNode document(List<ProxyMode> modes) {
    ObjectNode document =
        Json.object().put("apiVersion", "cli.fairlead.dev/v1").put("kind", "Rules");
    document
        .putObject("subject")
        .put("kind", "Service")
        .put("namespace", Json.textOr(service, "", "metadata", "namespace"))
        .put("name", name());
    document.put("node", node.node());
    if (runs) {
      document.put("active", active().toString());
    } else {
      document.putNull("active");
    }
    ArrayNode ports = document.putArray("ports");
    ArrayNode rendered = document.putArray("modes");
    for (IpAddress.Family family : IpAddress.Family.values()) {
      plan(active(), family).sorted().forEach(port -> ports.add(port(family, port)));
      for (ProxyMode mode : modes) {
        Plan plan = plan(mode, family);
        if (plan.services().size() > 0) {
          ObjectNode one =
              rendered
                  .addObject()
                  .put("mode", mode.toString())
                  .put("family", family.toString())
                  .put("active", runs && mode == active());
          OptionalLong count = connections(mode, plan);
          if (count.isPresent()) {
            one.put("connections", count.getAsLong());
          } else {
            one.putNull("connections");
          }
          RenderedRules.of(mode, plan).forEach(one.putArray("rules")::add);
        }
      }
    }
    return document;
  }

  private static ObjectNode port(IpAddress.Family family, ServicePlan port) {
    ObjectNode node =
        Json.object().put("name", port.name().toString()).put("family", family.toString());
    ArrayNode fronts = node.putArray("fronts");
    for (Frontend front : port.fronts()) {
      IpAddress address = front.address();
      ObjectNode one = fronts.addObject().put("kind", front.kind().name());
      if (address == null) {
        one.putNull("address");
      } else {
        one.put("address", address.toString());
      }
      one.put("port", front.port());
      switch (front.verdict()) {
        case TrafficVerdict.Forward(List<Backend> to, TrafficVerdict.Masquerade masquerade) -> {
          one.put("verdict", "forward").put("masquerade", word(masquerade));
          ArrayNode backends = one.putArray("backends");
          to.forEach(each -> backends.add(each.text()));
        }
        case TrafficVerdict.Reject(TrafficVerdict.Reason why) ->
            one.put("verdict", "reject").put("reason", word(why));
        case TrafficVerdict.Drop(TrafficVerdict.Reason why) ->
            one.put("verdict", "drop").put("reason", word(why));
      }
    }
    ArrayNode unused = node.putArray("unused");
    for (UnusedBackend each : port.choice().unused()) {
      unused.addObject().put("endpoint", each.backend().text()).put("reason", word(each.why()));
    }
    return node;
  }

  private static String word(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT);
  }
}
