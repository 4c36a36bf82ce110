package io.fairlead.bench.api;

import io.fairlead.bench.report.Samples;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;

/// Clients that send one request after the other. One answer that is not right voids the run.
final class Load {
  /// @param perSecond answers a second, all clients together
  /// @param micros what each answer took
  record Result(double perSecond, Samples micros) {}

  private interface Request {
    void send(Wire wire, int number) throws IOException;
  }

  private final Target target;
  private final AtomicInteger names = new AtomicInteger();

  Load(Target target) {
    this.target = target;
  }

  /// Creates Services with names of their own.
  Result create(int clients, int each) throws Exception {
    return run(
        clients,
        each,
        (wire, number) -> {
          String name = "b-" + names.incrementAndGet();
          expect(wire.send("POST", SERVICES, service(name)), 201, name);
        });
  }

  /// Reads the first Service that [#create] made.
  Result get(int clients, int each) throws Exception {
    return run(
        clients,
        each,
        (wire, number) -> expect(wire.send("GET", SERVICES + "/b-1", ""), 200, "\"b-1\""));
  }

  /// Lists all Services and counts them.
  Result list(int clients, int each, int atLeast) throws Exception {
    return run(
        clients,
        each,
        (wire, number) -> {
          Wire.Answer answer = wire.send("GET", "/api/v1/services", "");
          expect(answer, 200, "ServiceList");
          int found = count(answer.body(), "\"uid\":");
          if (found < atLeast) {
            throw new IOException("a list of " + found + ", expected at least " + atLeast);
          }
        });
  }

  /// The present revision of the server.
  static String revision(Target target) throws IOException {
    try (Wire wire = Wire.open(target)) {
      Wire.Answer answer = wire.send("GET", SERVICES + "?limit=1", "");
      expect(answer, 200, "\"resourceVersion\":\"");
      String body = new String(answer.body(), StandardCharsets.UTF_8);
      int begin = body.indexOf("\"resourceVersion\":\"") + 19;
      return body.substring(begin, body.indexOf('"', begin));
    }
  }

  static final String SERVICES = "/api/v1/namespaces/default/services";

  static String service(String name) {
    return "{\"apiVersion\":\"v1\",\"kind\":\"Service\",\"metadata\":{\"name\":\""
        + name
        + "\"},\"spec\":{\"selector\":{\"app\":\"x\"},\"ports\":[{\"port\":80}]}}";
  }

  static void expect(Wire.Answer answer, int status, String piece) throws IOException {
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

  private Result run(int clients, int each, Request request) throws Exception {
    List<Future<double[]>> running = new ArrayList<>();
    long begin = System.nanoTime();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int client = 0; client < clients; client++) {
        running.add(threads.submit(() -> client(each, request)));
      }
    }
    double seconds = (System.nanoTime() - begin) / 1e9;
    double[] all = new double[clients * each];
    for (int client = 0; client < clients; client++) {
      try {
        System.arraycopy(running.get(client).get(), 0, all, client * each, each);
      } catch (ExecutionException e) {
        throw new IllegalStateException("a request failed, the round is void", e);
      }
    }
    return new Result(all.length / seconds, new Samples(all));
  }

  private double[] client(int each, Request request) throws IOException {
    double[] micros = new double[each];
    try (Wire wire = Wire.open(target)) {
      for (int number = 0; number < each; number++) {
        long begin = System.nanoTime();
        request.send(wire, number);
        micros[number] = (System.nanoTime() - begin) / 1e3;
      }
    }
    return micros;
  }

  private static int count(byte[] body, String piece) {
    byte[] wanted = piece.getBytes(StandardCharsets.US_ASCII);
    int found = 0;
    for (int i = 0; i + wanted.length <= body.length; i++) {
      int j = 0;
      while (j < wanted.length && body[i + j] == wanted[j]) {
        j++;
      }
      if (j == wanted.length) {
        found++;
      }
    }
    return found;
  }
}
