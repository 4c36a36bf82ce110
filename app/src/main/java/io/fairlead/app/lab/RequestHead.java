package io.fairlead.app.lab;

import java.net.ProtocolException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/// The head of a request to a proxy: where it leads, and how it goes on from there.
///
/// @param host where to connect
/// @param forwarded what the server there gets; empty when it gets the bytes that follow as they
///   are, as after `CONNECT`
record RequestHead(String host, int port, byte[] forwarded) {
  private static final int HTTP = 80;

  /// What concerns this connection and not the next one.
  private static final Set<String> OWN =
      Set.of(
          "connection",
          "keep-alive",
          "proxy-connection",
          "proxy-authorization",
          "upgrade",
          "http2-settings");

  boolean isTunnel() {
    return forwarded.length == 0;
  }

  /// @param text the lines up to the empty one, without it
  static RequestHead parse(String text) throws ProtocolException {
    List<String> lines = Arrays.asList(text.split("\r?\n"));
    String[] words = lines.getFirst().split(" ");
    if (words.length != 3) {
      throw new ProtocolException("not a request: " + lines.getFirst());
    }
    try {
      return words[0].equals("CONNECT")
          ? tunnel(words[1])
          : forward(words[0], URI.create(words[1]), lines);
    } catch (IllegalArgumentException e) {
      throw new ProtocolException("not an address: " + words[1]);
    }
  }

  private static RequestHead tunnel(String target) {
    int colon = target.lastIndexOf(':');
    return new RequestHead(
        target.substring(0, Math.max(colon, 0)),
        Integer.parseInt(target.substring(colon + 1)),
        new byte[0]);
  }

  /// One request for each connection: the server is told to end it.
  private static RequestHead forward(String method, URI target, List<String> lines)
      throws ProtocolException {
    if (!"http".equalsIgnoreCase(target.getScheme()) || target.getHost() == null) {
      throw new ProtocolException("neither http://HOST/PATH nor CONNECT: " + target);
    }
    String path = target.getRawPath().isEmpty() ? "/" : target.getRawPath();
    String query = target.getRawQuery() == null ? "" : "?" + target.getRawQuery();
    StringBuilder head = new StringBuilder();
    head.append(method).append(' ').append(path).append(query).append(" HTTP/1.1\r\n");
    for (String line : lines.subList(1, lines.size())) {
      int colon = line.indexOf(':');
      if (!OWN.contains(line.substring(0, Math.max(colon, 0)).toLowerCase(Locale.ROOT))) {
        head.append(line).append("\r\n");
      }
    }
    head.append("Connection: close\r\n\r\n");
    int port = target.getPort() < 0 ? HTTP : target.getPort();
    return new RequestHead(
        target.getHost(), port, head.toString().getBytes(StandardCharsets.ISO_8859_1));
  }
}
