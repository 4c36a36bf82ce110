package io.fairlead.ui;

import io.fairlead.api.json.Json;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import tools.jackson.databind.node.ObjectNode;

/// A browser's side of HTTP, byte by byte: tests send what a browser never would.
final class PageClient {
  private final int port;

  PageClient(int port) {
    this.port = port;
  }

  record Answer(int code, Map<String, String> headers, byte[] bytes) {
    String text() {
      return new String(bytes, StandardCharsets.UTF_8);
    }

    ObjectNode json() {
      return Json.parseObject(bytes);
    }

    String header(String name) {
      return headers.getOrDefault(name.toLowerCase(Locale.ROOT), "");
    }

    /// `fairlead-ui=…`, as a browser sends it back.
    String cookie() {
      return header("Set-Cookie").split(";")[0];
    }
  }

  Answer get(String path, String... headers) throws IOException {
    return send("GET", path, "", headers);
  }

  /// As the page sends it.
  Answer post(String path, String body, String... headers) throws IOException {
    String[] all = new String[headers.length + 2];
    all[0] = "Content-Type";
    all[1] = "application/json";
    System.arraycopy(headers, 0, all, 2, headers.length);
    return send("POST", path, body, all);
  }

  Answer send(String method, String path, String body, String... headers) throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      socket.setSoTimeout(20_000);
      write(socket, method, path, body, headers);
      return read(new BufferedInputStream(socket.getInputStream()));
    }
  }

  /// An answer that goes on; the caller closes the socket.
  Socket open(String path, String... headers) throws IOException {
    Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
    socket.setSoTimeout(20_000);
    write(socket, "GET", path, "", headers);
    return socket;
  }

  private void write(Socket socket, String method, String path, String body, String... headers)
      throws IOException {
    Map<String, String> all = new LinkedHashMap<>();
    all.put("Host", "127.0.0.1:" + port);
    for (int i = 0; i < headers.length; i += 2) {
      all.put(headers[i], headers[i + 1]);
    }
    StringBuilder head = new StringBuilder(method + " " + path + " HTTP/1.1\r\n");
    all.forEach((name, value) -> head.append(name).append(": ").append(value).append("\r\n"));
    byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
    if (!method.equals("GET")) {
      head.append("Content-Length: ").append(bytes.length).append("\r\n");
    }
    socket.getOutputStream().write((head + "\r\n" + body).getBytes(StandardCharsets.UTF_8));
    socket.getOutputStream().flush();
  }

  /// The head and a body of known length.
  static Answer read(InputStream in) throws IOException {
    String status = line(in);
    Map<String, String> headers = headers(in);
    int length = Integer.parseInt(headers.getOrDefault("content-length", "0"));
    return new Answer(Integer.parseInt(status.split(" ")[1]), headers, in.readNBytes(length));
  }

  static Map<String, String> headers(InputStream in) throws IOException {
    Map<String, String> headers = new LinkedHashMap<>();
    for (String line = line(in); !line.isEmpty(); line = line(in)) {
      int colon = line.indexOf(':');
      headers.put(
          line.substring(0, colon).toLowerCase(Locale.ROOT), line.substring(colon + 1).strip());
    }
    return headers;
  }

  static String line(InputStream in) throws IOException {
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    for (int b = in.read(); b != '\n'; b = in.read()) {
      if (b < 0) {
        throw new IOException("the answer ended in " + line.toString(StandardCharsets.UTF_8));
      }
      line.write(b);
    }
    return line.toString(StandardCharsets.UTF_8).stripTrailing();
  }
}
