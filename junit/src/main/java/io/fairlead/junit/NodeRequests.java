package io.fairlead.junit;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/// Requests to Services that may take a moment to answer: pods start, rules are written.
///
/// @param client whose connections are opened on the node; closed with the request
record NodeRequests(HttpClient client) {
  private static final Duration ONE = Duration.ofSeconds(5);
  private static final Duration PAUSE = Duration.ofMillis(50);
  private static final int SUCCESS = 200;
  private static final int BEYOND = 300;

  /// @param report what there is, for the failure
  String get(String url, Duration limit, Supplier<String> report) {
    HttpRequest request = HttpRequest.newBuilder(URI.create(url)).timeout(ONE).build();
    long end = System.nanoTime() + limit.toNanos();
    try (client) {
      while (true) {
        String failure;
        try {
          HttpResponse<String> answer = client.send(request, HttpResponse.BodyHandlers.ofString());
          if (answer.statusCode() >= SUCCESS && answer.statusCode() < BEYOND) {
            return answer.body();
          }
          failure = answer.statusCode() + " " + answer.body();
        } catch (IOException e) {
          failure = e.toString();
        }
        if (System.nanoTime() - end >= 0) {
          throw new AssertionError(
              url + ": no success within " + limit + ", last " + failure + "\n" + report.get());
        }
        // An interrupt ends the pause, then the next request.
        LockSupport.parkNanos(PAUSE.toNanos());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while waiting for " + url, e);
    }
  }
}
