package io.fairlead.ui.asset;

import io.fairlead.http.server.HttpServerExchange;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Optional;
import java.util.zip.Deflater;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;

/// One built file with what HTTP says of it.
public final class AssetFile {
  private final byte[] bytes;
  private final byte[] packed;
  private final String type;
  private final String tag;

  AssetFile(byte[] bytes, String type) {
    this.bytes = bytes.clone();
    this.packed = gzip(bytes);
    this.type = type;
    this.tag = "\"" + BundleManifest.hash(bytes) + "\"";
  }

  private static byte[] gzip(byte[] bytes) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (GZIPOutputStream zip =
        new GZIPOutputStream(out) {
          {
            def.setLevel(Deflater.BEST_COMPRESSION);
          }
        }) {
      zip.write(bytes);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return out.toByteArray();
  }

  /// Its size on the wire.
  public int packedBytes() {
    return packed.length;
  }

  /// Sends it, or says that the browser has it already. A HEAD gets the head.
  public void send(HttpServerExchange exchange) throws IOException {
    send(exchange, 200);
  }

  /// The same under another status.
  public void send(HttpServerExchange exchange, int status) throws IOException {
    exchange.setHeader("Cache-Control", "no-cache");
    exchange.setHeader("ETag", tag);
    exchange.setHeader("Vary", "Accept-Encoding");
    if (status == 200 && isKnown(exchange.header("If-None-Match"))) {
      exchange.setStatus(304);
      return;
    }
    boolean zipped =
        Optional.ofNullable(exchange.header("Accept-Encoding"))
            .filter(given -> given.contains("gzip"))
            .isPresent();
    byte[] body = zipped ? packed : bytes;
    exchange.setStatus(status);
    exchange.setHeader("Content-Type", type);
    if (zipped) {
      exchange.setHeader("Content-Encoding", "gzip");
    }
    if (exchange.method().equals("HEAD")) {
      exchange.setLength(body.length);
      return;
    }
    exchange.send(body, body.length);
  }

  private boolean isKnown(@Nullable String given) {
    return given != null && (given.equals("*") || given.contains(tag));
  }
}
