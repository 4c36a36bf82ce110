package io.fairlead.bench.faults;

import io.fairlead.client.Client;
import io.fairlead.client.transport.ApiRequest;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// X7: requests with a wrong token, as many as `wrk` makes on 64 connections, for a number of
/// seconds. Another client asks for health meanwhile: it is answered in time, and the server keeps
/// nothing of the flood.
final class FloodFault implements FaultScenario {
  private static final long BETWEEN = TimeUnit.MILLISECONDS.toNanos(20);
  private static final double MOST_MILLIS = 100;
  private static final Pattern RATE = Pattern.compile("Requests/sec:\\s+([0-9.]+)");

  @Override
  public void run(Size size, FaultReport report) throws Exception {
    try (ServerUnderFault server = new ServerUnderFault();
        Client client = server.client(server.port())) {
      List<Long> times = new ArrayList<>();
      for (int i = 0; i < 200; i++) {
        times.add(health(client));
      }
      report.times("health_before", times);
      report.figure("resident_before_mb", server.residentMegabytes());
      times.clear();
      Path said = Files.createTempFile("fairlead-flood", "");
      Process wrk = flood(server.port(), size.count(), said);
      while (wrk.isAlive()) {
        times.add(health(client));
        LockSupport.parkNanos(BETWEEN);
      }
      String output = Files.readString(said, StandardCharsets.UTF_8);
      Files.delete(said);
      Matcher rate = RATE.matcher(output);
      report.must(rate.find(), "wrk could not run: " + output);
      report.figure("refused_per_second", Double.parseDouble(rate.group(1)));
      report.times("health", times);
      report.figure("resident_after_mb", server.residentMegabytes());
      report.must(server.isAlive(), "the server has ended");
      long late = times.stream().filter(each -> each / 1e6 > MOST_MILLIS).count();
      report.figure("health_asked", times.size());
      report.figure("health_later_than_100_ms", late);
    }
  }

  private static long health(Client client) {
    long start = System.nanoTime();
    client.raw(ApiRequest.get("/healthz"));
    return System.nanoTime() - start;
  }

  private static Process flood(int port, int seconds, Path said) throws IOException {
    return new ProcessBuilder(
            "wrk",
            "-t2",
            "-c64",
            "-d" + seconds + "s",
            "-H",
            "Authorization: Bearer wrong",
            "https://127.0.0.1:" + port + "/api/v1/namespaces/default/services")
        .redirectErrorStream(true)
        .redirectOutput(said.toFile())
        .start();
  }
}
