package io.fairlead.server.paths;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.fairlead.http.server.HttpServerExchange;
import io.fairlead.server.flowcontrol.FlowControlDump;
import java.io.IOException;
import java.util.Optional;

/// Serves what priority levels and queues do now, as plain text.
public final class FlowControlPath implements PathHandler {
  private static final String PREFIX = "/debug/api_priority_and_fairness/";

  private final FlowControlDump dump;

  public FlowControlPath(FlowControlDump dump) {
    this.dump = dump;
  }

  @Override
  public boolean handle(HttpServerExchange exchange) throws IOException {
    if (!exchange.path().startsWith(PREFIX)) {
      return false;
    }
    Optional<String> page = dump.page(exchange.path().substring(PREFIX.length()));
    if (page.isEmpty()) {
      return false;
    }
    byte[] text = page.get().getBytes(UTF_8);
    exchange.setStatus(200);
    exchange.setHeader("Content-Type", "text/plain; charset=utf-8");
    exchange.send(text, text.length);
    return true;
  }
}
