package io.fairlead.app.command;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/// A stand-in for the API server in training runs: a watch of any resource gets one object, or
/// none, and then silence; everything else is not found.
final class TrainingApi implements AutoCloseable {
  private static final String END =
      """
      {"type":"BOOKMARK","object":{"metadata":{"resourceVersion":"1","annotations":{"k8s.io/initial-events-end":"true"}}}}
      """;
  private static final String NAMESPACE =
      """
      {"type":"ADDED","object":{"metadata":{"name":"a","resourceVersion":"1"}}}
      """;
  private static final String SERVICE =
      """
      {"type":"ADDED","object":{"metadata":{"name":"web","namespace":"a","resourceVersion":"1"},"spec":{"type":"ClusterIP","clusterIP":"10.96.0.1","clusterIPs":["10.96.0.1"],"ports":[{"name":"http","protocol":"TCP","port":80}]}}}
      """;
  private static final String SLICE =
      """
      {"type":"ADDED","object":{"metadata":{"name":"web-1","namespace":"a","resourceVersion":"1","labels":{"kubernetes.io/service-name":"web"}},"addressType":"IPv4","endpoints":[{"addresses":["10.244.0.1"],"conditions":{"ready":true}}],"ports":[{"name":"http","protocol":"TCP","port":80}]}}
      """;
  private static final String NODE =
      """
      {"type":"ADDED","object":{"metadata":{"name":"training","resourceVersion":"1"},"status":{"addresses":[{"type":"InternalIP","address":"127.0.0.1"}]}}}
      """;
  private static final String NOT_FOUND =
      """
      {"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","message":"not found","reason":"NotFound","code":404}
      """;

  private final ServerSocket socket;

  private TrainingApi(ServerSocket socket) {
    this.socket = socket;
  }

  static TrainingApi start() throws IOException {
    TrainingApi api = new TrainingApi(new ServerSocket(0, 16, InetAddress.getLoopbackAddress()));
    Thread.ofVirtual().name("training-api").start(api::accept);
    return api;
  }

  int port() {
    return socket.getLocalPort();
  }

  private void accept() {
    while (!socket.isClosed()) {
      try {
        Socket client = socket.accept();
        Thread.ofVirtual().name("training-watch").start(() -> answer(client));
      } catch (IOException e) {
        return;
      }
    }
  }

  /// One request: the state, then silence until the other side goes.
  private static void answer(Socket socket) {
    try (socket) {
      BufferedReader in =
          new BufferedReader(
              new InputStreamReader(socket.getInputStream(), StandardCharsets.ISO_8859_1));
      String request = String.valueOf(in.readLine());
      while (!isEnd(in.readLine())) {
        continue;
      }
      boolean watch = request.contains("watch=");
      OutputStream out = socket.getOutputStream();
      String head =
          "HTTP/1.1 %s\r\nContent-Type: application/json\r\nConnection: close\r\n\r\n"
              .formatted(watch ? "200 OK" : "404 Not Found");
      String body = watch ? state(request) + END : NOT_FOUND;
      out.write((head + body).getBytes(StandardCharsets.UTF_8));
      out.flush();
      if (watch) {
        in.readLine();
      }
    } catch (IOException e) {
      // Who is under training went, or does not want this watch any more.
      return;
    }
  }

  private static String state(String request) {
    if (request.contains("/endpointslices")) {
      return SLICE;
    }
    if (request.contains("/services")) {
      return SERVICE;
    }
    if (request.contains("/namespaces")) {
      return NAMESPACE;
    }
    return request.contains("/nodes") ? NODE : "";
  }

  private static boolean isEnd(@Nullable String line) {
    return line == null || line.isEmpty();
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
