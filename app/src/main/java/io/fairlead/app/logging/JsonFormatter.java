package io.fairlead.app.logging;

import io.fairlead.api.json.Json;
import java.nio.charset.StandardCharsets;
import java.util.logging.Formatter;
import java.util.logging.LogRecord;
import tools.jackson.databind.node.ObjectNode;

/// One JSON object a line, with the names Kubernetes components use: `ts`, `caller`, `level`,
/// `msg`, `err`.
final class JsonFormatter extends Formatter {
  @Override
  public String format(LogRecord line) {
    ObjectNode node =
        Json.object()
            .put("ts", line.getInstant().toEpochMilli() / 1000.0)
            .put("level", level(line))
            .put("caller", KlogFormatter.simpleName(line.getLoggerName()))
            .put("msg", formatMessage(line));
    if (line.getThrown() != null) {
      node.put("err", KlogFormatter.trace(line));
    }
    return LogText.escaped(new String(Json.bytes(node), StandardCharsets.UTF_8), "") + "\n";
  }

  private static String level(LogRecord line) {
    return switch (KlogFormatter.letter(line.getLevel())) {
      case "E" -> "error";
      case "W" -> "warn";
      default -> "info";
    };
  }
}
