package io.fairlead.bench.api;

import io.fairlead.bench.report.Samples;
import io.fairlead.work.Tasks;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/// Clients inside this JVM. They look into every answer, and cost more than the server they
/// measure: good for a proof and for a few requests, not for a rate.
final class JvmLoadGenerator implements LoadGenerator {
  static final String SERVICES = "/api/v1/namespaces/default/services";

  private interface Request {
    void send(RawHttpsConnection wire) throws IOException;
  }

  private final ApiServerUnderTest target;
  private final AtomicInteger names = new AtomicInteger();

  JvmLoadGenerator(ApiServerUnderTest target) {
    this.target = target;
  }

  @Override
  public Result create(int clients, int count, boolean dryRun) throws Exception {
    String path = SERVICES + (dryRun ? "?dryRun=All" : "");
    return run(clients, Math.max(1, count / clients), Long.MAX_VALUE, wire -> create(wire, path));
  }

  @Override
  public Result createFor(int clients, int seconds) throws Exception {
    long nanos = TimeUnit.SECONDS.toNanos(seconds);
    return run(clients, Integer.MAX_VALUE, nanos, wire -> create(wire, SERVICES));
  }

  private void create(RawHttpsConnection wire, String path) throws IOException {
    String name = "b-" + names.incrementAndGet();
    expect(wire.send("POST", path, service(name)), 201, name);
  }

  @Override
  public Result get(int clients, int seconds, String path) throws Exception {
    return run(
        clients,
        Integer.MAX_VALUE,
        TimeUnit.SECONDS.toNanos(seconds),
        wire -> expect(wire.send("GET", path, ""), 200, "\"metadata\""));
  }

  /// Lists all Services and counts them.
  int count() throws IOException {
    try (RawHttpsConnection wire = RawHttpsConnection.open(target)) {
      RawHttpsConnection.Answer answer = wire.send("GET", "/api/v1/services", "");
      expect(answer, 200, "ServiceList");
      byte[] body = answer.body();
      byte[] wanted = "\"uid\":".getBytes(StandardCharsets.US_ASCII);
      int found = 0;
      for (int at = 0; at + wanted.length <= body.length; at++) {
        int i = 0;
        while (i < wanted.length && body[at + i] == wanted[i]) {
          i++;
        }
        found += i == wanted.length ? 1 : 0;
      }
      return found;
    }
  }

  /// The present revision of the server.
  static String revision(ApiServerUnderTest target) throws IOException {
    try (RawHttpsConnection wire = RawHttpsConnection.open(target)) {
      RawHttpsConnection.Answer answer = wire.send("GET", SERVICES + "?limit=1", "");
      expect(answer, 200, "\"resourceVersion\":\"");
      String body = new String(answer.body(), StandardCharsets.UTF_8);
      int begin = body.indexOf("\"resourceVersion\":\"") + 19;
      return body.substring(begin, body.indexOf('"', begin));
    }
  }

  static String service(String name) {
    return "{\"apiVersion\":\"v1\",\"kind\":\"Service\",\"metadata\":{\"name\":\""
        + name
        + "\"},\"spec\":{\"selector\":{\"app\":\"x\"},\"ports\":[{\"port\":80}]}}";
  }

  static void expect(RawHttpsConnection.Answer answer, int status, String piece)
      throws IOException {
    String body = new String(answer.body(), StandardCharsets.UTF_8);
    if (answer.status() != status || !body.contains(piece)) {
      throw new IOException(
          "expected "
              + status
              + " with "
              + piece
              + ", got "
              + answer.status()
              + " "
              + body.substring(0, Math.min(300, body.length())));
    }
  }

  private Result run(int clients, int each, long nanos, Request request) throws Exception {
    List<Future<List<Double>>> running = new ArrayList<>();
    long begin = System.nanoTime();
    try (ExecutorService threads = Tasks.perTask("bench")) {
      for (int client = 0; client < clients; client++) {
        running.add(threads.submit(() -> client(each, begin, nanos, request)));
      }
    }
    double seconds = (System.nanoTime() - begin) / 1e9;
    List<Double> all = new ArrayList<>();
    for (Future<List<Double>> one : running) {
      try {
        all.addAll(one.get());
      } catch (ExecutionException e) {
        throw new IOException("a client failed", e.getCause());
      }
    }
    Samples micros = new Samples(all.stream().mapToDouble(Double::doubleValue).toArray());
    return new Result(all.size() / seconds, micros.quantile(0.5), micros.quantile(0.99));
  }

  private List<Double> client(int each, long begin, long nanos, Request request)
      throws IOException {
    List<Double> micros = new ArrayList<>();
    try (RawHttpsConnection wire = RawHttpsConnection.open(target)) {
      for (int i = 0; i < each && System.nanoTime() - begin < nanos; i++) {
        long sent = System.nanoTime();
        request.send(wire);
        micros.add((System.nanoTime() - sent) / 1e3);
      }
    }
    return micros;
  }
}
