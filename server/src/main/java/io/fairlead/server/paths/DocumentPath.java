package io.fairlead.server.paths;

import io.fairlead.http.server.HttpServerExchange;
import io.fairlead.server.render.ResponseBody;
import java.io.IOException;
import java.io.OutputStream;

/// Serves one document that never changes, such as the keys that service account tokens are checked
/// with.
public final class DocumentPath implements PathHandler {
  private final String path;
  private final String mediaType;
  private final byte[] bytes;

  public DocumentPath(String path, String mediaType, byte[] bytes) {
    this.path = path;
    this.mediaType = mediaType;
    this.bytes = bytes.clone();
  }

  @Override
  public boolean handle(HttpServerExchange exchange) throws IOException {
    if (!exchange.path().equals(path)) {
      return false;
    }
    exchange.setStatus(200);
    exchange.setHeader("Content-Type", mediaType);
    try (OutputStream out = new ResponseBody(exchange)) {
      out.write(bytes);
    }
    return true;
  }
}
