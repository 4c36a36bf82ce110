package io.fairlead.app.command;

import io.fairlead.api.json.Json;
import io.fairlead.app.cli.CommandContext;
import io.fairlead.app.command.TopModel.TopEndpoint;
import io.fairlead.app.command.TopModel.TopService;
import io.fairlead.app.text.Columns;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// Live connections for people and for programs.
final class TopText {
  private static final int MOST_ROWS = 40;
  private static final double KILO = 1000;
  private static final String FLAG = "▲";

  private final CommandContext context;
  private final EndpointNames names;

  TopText(CommandContext context, EndpointNames names) {
    this.context = context;
    this.names = names;
  }

  /// One Service, endpoint by endpoint.
  String service(List<TopService> ports) {
    StringBuilder text = new StringBuilder();
    for (TopService port : ports) {
      text.append(heading(port)).append('\n');
      List<List<String>> rows = new ArrayList<>();
      rows.add(
          List.of(
              "ENDPOINT",
              "POD",
              "NODE",
              "ACTIVE",
              "NEW/S",
              "OUT/S",
              "SHARE",
              "EXPECT",
              "OLDEST",
              ""));
      port.endpoints().forEach(each -> rows.add(row(each)));
      text.append(Columns.table("", rows));
      port.skew()
          .ifPresent(
              skew ->
                  text.append(FLAG)
                      .append(' ')
                      .append(sentence(skew))
                      .append(" (")
                      .append(skew.code())
                      .append(")\n"));
      if (port.inBytes() == null) {
        text.append(context.text("top.noacct")).append('\n');
      }
    }
    return text.toString();
  }

  private String sentence(TopModel.Skew skew) {
    List<String> order =
        switch (skew.code()) {
          case "FL180" -> List.of("count", "total", "endpoint");
          case "FL181" -> List.of("clients", "endpoints");
          case "FL184" -> List.of("client", "share");
          default -> List.of();
        };
    Object[] values = order.stream().map(name -> skew.values().getOrDefault(name, "")).toArray();
    return context.text("top." + skew.code(), values);
  }

  private static String heading(TopService port) {
    return key(port)
        + " "
        + (port.address().indexOf(':') >= 0 ? "[" + port.address() + "]" : port.address())
        + ":"
        + port.number()
        + "/"
        + port.protocol()
        + "  "
        + port.mode()
        + "   "
        + port.active()
        + " active  "
        + rate(port.newPerSecond())
        + " new/s  "
        + bytes(port.inBytes())
        + "/s in  "
        + bytes(port.outBytes())
        + "/s out";
  }

  private static String key(TopService port) {
    return port.namespace() + "/" + port.name() + (port.port().isEmpty() ? "" : ":" + port.port());
  }

  private List<String> row(TopEndpoint each) {
    ObjectNode owner = Json.object().put("address", each.address());
    names.add(owner);
    Long oldest = each.oldestSeconds();
    return List.of(
        each.address() + ":" + each.port(),
        Json.textOr(owner, "–", "pod"),
        Json.textOr(owner, "–", "node"),
        Integer.toString(each.active()),
        rate(each.newPerSecond()),
        bytes(each.outBytes()),
        Math.round(100 * each.share()) + " %",
        Math.round(100 * each.expect()) + " %",
        oldest == null ? "–" : StatusCommand.shown(Duration.ofSeconds(oldest)),
        each.flagged() ? FLAG : "");
  }

  /// All Services, one line each.
  String all(List<TopService> ports) {
    List<List<String>> rows = new ArrayList<>();
    rows.add(
        List.of(
            "NAMESPACE", "NAME", "PORT", "ACTIVE", "NEW/S", "IN/S", "OUT/S", "ENDPOINTS", "SKEW"));
    for (TopService port : ports.subList(0, Math.min(MOST_ROWS, ports.size()))) {
      rows.add(
          List.of(
              port.namespace(),
              port.name(),
              port.number() + "/" + port.protocol(),
              Integer.toString(port.active()),
              rate(port.newPerSecond()),
              bytes(port.inBytes()),
              bytes(port.outBytes()),
              Integer.toString(port.endpoints().size()),
              port.skew().map(skew -> FLAG + " " + skew.code()).orElse("")));
    }
    return Columns.table("", rows);
  }

  ObjectNode document(List<TopService> ports, String at, long intervalMillis, ArrayNode unseen) {
    ObjectNode document =
        Json.object()
            .put("apiVersion", "cli.fairlead.dev/v1")
            .put("kind", "Top")
            .put("at", at)
            .put("intervalMillis", intervalMillis)
            .put("sampled", true);
    ArrayNode services = document.putArray("services");
    for (TopService port : ports) {
      ObjectNode one =
          services
              .addObject()
              .put("namespace", port.namespace())
              .put("name", port.name())
              .put("port", port.port())
              .put("number", port.number())
              .put("mode", port.mode())
              .put("active", port.active())
              .put("newPerSecond", port.newPerSecond())
              .put("inBytesPerSecond", port.inBytes())
              .put("outBytesPerSecond", port.outBytes());
      ArrayNode endpoints = one.putArray("endpoints");
      for (TopEndpoint each : port.endpoints()) {
        ObjectNode endpoint =
            endpoints
                .addObject()
                .put("address", each.address())
                .put("port", each.port())
                .put("active", each.active())
                .put("newPerSecond", each.newPerSecond())
                .put("in", each.inBytes())
                .put("out", each.outBytes())
                .put("share", each.share())
                .put("expect", each.expect())
                .put("oldestSeconds", each.oldestSeconds())
                .put("flag", each.flagged());
        names.add(endpoint);
      }
      ArrayNode findings = one.putArray("findings");
      port.skew()
          .ifPresent(
              skew -> {
                ObjectNode finding =
                    findings
                        .addObject()
                        .put("code", skew.code())
                        .put("severity", skew.code().equals("FL183") ? "warning" : "note");
                ObjectNode values = finding.putObject("values");
                skew.values().forEach(values::put);
              });
    }
    document.set("unseen", unseen);
    return document;
  }

  private static String rate(double perSecond) {
    return String.format(Locale.ROOT, "%.1f", perSecond);
  }

  private static String bytes(@Nullable Double perSecond) {
    if (perSecond == null) {
      return "–";
    }
    double value = perSecond;
    for (String unit : List.of("B", "kB", "MB")) {
      if (value < KILO) {
        return String.format(Locale.ROOT, unit.equals("B") ? "%.0f%s" : "%.1f%s", value, unit);
      }
      value /= KILO;
    }
    return String.format(Locale.ROOT, "%.1fGB", value);
  }
}
