package io.fairlead.app.command;

import io.fairlead.api.json.Json;
import io.fairlead.app.cli.CommandContext;
import io.fairlead.app.text.Columns;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// A trace for people: the packet, one line for each hop, and how it ended.
final class TraceText {
  private static final int TEXT_WIDTH = 78;
  private static final double MILLIS_PER_SECOND = 1000;

  private final CommandContext context;
  private final ObjectNode document;
  private final TraceSource from;

  TraceText(CommandContext context, ObjectNode document, TraceSource from) {
    this.context = context;
    this.document = document;
    this.from = from;
  }

  String text() {
    StringBuilder text = new StringBuilder();
    JsonNode probe = document.path("probe");
    String source = Json.textOr(probe, "", "source");
    if (!source.isEmpty()) {
      String kind = Json.textOr(probe, "TCP", "protocol").equals("TCP") ? "SYN" : "datagram";
      int sent = probe.path("sentTimes").asInt(1);
      text.append("probe ")
          .append(kind)
          .append(' ')
          .append(source)
          .append(" → ")
          .append(destination())
          .append(sent > 1 ? ", sent " + sent + " times" : "")
          .append('\n');
    }
    List<List<String>> rows = new ArrayList<>();
    for (JsonNode hop : document.path("hops")) {
      rows.add(row(hop));
    }
    text.append(Columns.table(" ", rows));
    text.append(result()).append('\n');
    counts(text);
    return text.toString();
  }

  private String destination() {
    String address = Json.textOr(document, "", "to", "address");
    int port = document.path("to").path("port").asInt(0);
    return address.indexOf(':') >= 0 ? "[" + address + "]:" + port : address + ":" + port;
  }

  private List<String> row(JsonNode hop) {
    String place = Json.textOr(hop, "", "place");
    String where = hop.path("n").asInt(0) == 1 ? from.text() : node(hop, place);
    return List.of(
        Integer.toString(hop.path("n").asInt(0)),
        where,
        Columns.pad(Json.textOr(hop, "", "text"), TEXT_WIDTH),
        Json.textOr(hop, "", "via"));
  }

  private static String node(JsonNode hop, String place) {
    String node = "node " + Json.textOr(hop, "?", "node");
    return switch (place) {
      case "raw", "nat", "filter", "route", "relay" -> node + "  " + place;
      default -> node;
    };
  }

  private String result() {
    String hop = Integer.toString(document.path("decisiveHop").asInt(0));
    String code = Json.textOr(document, "", "code");
    String shown = code.isEmpty() ? "" : " (" + code + ")";
    String line =
        switch (Json.textOr(document, "", "result")) {
          case "reached" ->
              document.path("probe").path("millis").isNumber()
                  ? context.text("trace.reached", endpoint(), took())
                  : context.text("trace.reached.untimed", endpoint());
          case "refused" -> context.text("trace.refused", hop, shown);
          case "dropped" -> context.text("trace.dropped", hop, shown);
          case "lost" -> context.text("trace.lost", hop, shown);
          case "wouldReach" -> context.text("trace.would");
          default -> context.text("trace.noanswer", hop, shown);
        };
    return line + others() + next();
  }

  private String endpoint() {
    JsonNode endpoint = document.path("endpoint");
    String address = Json.textOr(endpoint, "", "address");
    if (address.isEmpty()) {
      return destination();
    }
    int port = endpoint.path("port").asInt(0);
    return address.indexOf(':') >= 0 ? "[" + address + "]:" + port : address + ":" + port;
  }

  private String took() {
    double millis = document.path("probe").path("millis").asDouble(0);
    return millis < MILLIS_PER_SECOND
        ? String.format(Locale.ROOT, "%.2f ms", millis)
        : String.format(Locale.ROOT, "%.1f s", millis / MILLIS_PER_SECOND);
  }

  private String others() {
    String list =
        document
            .path("others")
            .valueStream()
            .map(TraceText::share)
            .collect(Collectors.joining(", "));
    return list.isEmpty() ? "" : " " + context.text("trace.others", list);
  }

  private static String share(JsonNode other) {
    String address = Json.textOr(other, "", "address");
    return other.path("share").isNumber()
        ? address + String.format(Locale.ROOT, " %.1f %%", other.path("share").asDouble(0) * 100)
        : address;
  }

  private String next() {
    String service = Json.textOr(document, "", "to", "service");
    boolean fine = List.of("reached", "wouldReach").contains(Json.textOr(document, "", "result"));
    return fine || service.isEmpty()
        ? ""
        : "\n"
            + context.text(
                "trace.next",
                context.program()
                    + " explain svc/"
                    + service
                    + " -n "
                    + Json.textOr(document, "", "to", "namespace"));
  }

  private void counts(StringBuilder text) {
    int all = 0;
    for (JsonNode each : document.path("counts")) {
      all += each.path("times").asInt(0);
    }
    if (all == 0) {
      return;
    }
    List<List<String>> rows = new ArrayList<>();
    rows.add(List.of("ENDPOINT", "TIMES", "SHARE"));
    for (JsonNode each : document.path("counts")) {
      int times = each.path("times").asInt(0);
      rows.add(
          List.of(
              Json.textOr(each, "", "endpoint"),
              Integer.toString(times),
              String.format(Locale.ROOT, "%.1f %%", 100.0 * times / all)));
    }
    text.append(Columns.table("", rows));
  }
}
