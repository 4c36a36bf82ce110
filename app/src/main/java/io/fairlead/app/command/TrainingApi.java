package io.fairlead.app.command;

import io.fairlead.http.message.HttpHeadReader;
import io.fairlead.work.SupervisedLoop;
import io.fairlead.work.Tasks;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

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
  private final SupervisedLoop accepting =
      SupervisedLoop.of("training-api").stopBy(this::stop).build(this::accept);

  private TrainingApi(ServerSocket socket) {
    this.socket = socket;
  }

  static TrainingApi start() throws IOException {
    TrainingApi api = new TrainingApi(new ServerSocket(0, 16, InetAddress.getLoopbackAddress()));
    api.accepting.start();
    return api;
  }

  int port() {
    return socket.getLocalPort();
  }

  private void accept() throws IOException {
    Socket client = socket.accept();
    Tasks.start("training-watch", () -> answer(client));
  }

  /// One request: the state, then silence until the other side goes.
  private static void answer(Socket socket) {
    try (socket) {
      InputStream in = new BufferedInputStream(socket.getInputStream());
      String request = HttpHeadReader.read(in).startLine();
      boolean watch = request.contains("watch=");
      OutputStream out = socket.getOutputStream();
      String head =
          "HTTP/1.1 %s\r\nContent-Type: application/json\r\nConnection: close\r\n\r\n"
              .formatted(watch ? "200 OK" : "404 Not Found");
      String body = watch ? state(request) + END : NOT_FOUND;
      out.write((head + body).getBytes(StandardCharsets.UTF_8));
      out.flush();
      if (watch) {
        int _ = in.read();
      }
    } catch (IOException e) {
      // The process under training has gone, or wants this watch no more.
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

  @Override
  public void close() {
    accepting.close();
  }

  private void stop() {
    try {
      socket.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
