package io.fairlead.server.paths;

import io.fairlead.http.server.HttpServerExchange;
import io.fairlead.server.discovery.StaticDocument;
import io.fairlead.server.render.ResponseBody;
import java.io.IOException;
import java.io.OutputStream;

/// Sends ready documents: 304 when the client has it, compressed when it is large and may be.
final class DocumentSender {
  private DocumentSender() {}

  static void send(HttpServerExchange exchange, StaticDocument document) throws IOException {
    exchange.setHeader("ETag", document.etag());
    exchange.setHeader("Vary", "Accept");
    if (document.matches(exchange.header("If-None-Match"))) {
      exchange.setStatus(304);
      return;
    }
    exchange.setStatus(200);
    exchange.setHeader("Content-Type", document.contentType());
    if (document.bytes().length > ResponseBody.THRESHOLD && ResponseBody.acceptsGzip(exchange)) {
      exchange.setHeader("Content-Encoding", "gzip");
      exchange.addHeader("Vary", "Accept-Encoding");
      exchange.setLength(document.gzip().length);
      try (OutputStream out = exchange.output()) {
        out.write(document.gzip());
      }
      return;
    }
    exchange.setLength(document.bytes().length);
    try (OutputStream out = exchange.output()) {
      out.write(document.bytes());
    }
  }
}
