package io.fairlead.bench.api;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Load from `wrk`, which costs a fraction of what a client in Java does and so leaves the machine
/// to the server. Every answer that is an error voids the run.
///
/// How it works: a script in Lua makes the requests. wrk runs for a time, not for a number of
/// requests, so the script tells when it has sent enough, and wrk is interrupted.
final class Wrk implements LoadGenerator {
  private static final int MOST_SECONDS = 120;

  private final ApiServerUnderTest target;
  private final Path directory;
  private int runs;

  Wrk(ApiServerUnderTest target, Path directory) {
    this.target = target;
    this.directory = directory;
  }

  static boolean isInstalled(Map<String, String> environment) {
    for (String place : environment.getOrDefault("PATH", "").split(":")) {
      if (Files.isExecutable(Path.of(place, "wrk"))) {
        return true;
      }
    }
    return false;
  }

  @Override
  public Result create(int clients, int count, boolean dryRun)
      throws IOException, InterruptedException {
    return run(clients, MOST_SECONDS, creates(count, dryRun ? "?dryRun=All" : ""), count);
  }

  @Override
  public Result createFor(int clients, int seconds) throws IOException, InterruptedException {
    return run(clients, seconds, creates(Integer.MAX_VALUE, ""), 0);
  }

  /// A script that stops after so many creates.
  private String creates(int count, String query) {
    runs++;
    return HEADERS.formatted(target.token())
        + """
        local ffi = require("ffi")
        ffi.cdef[[ typedef struct { long s; long n; } moment; int clock_gettime(int, moment *); ]]
        local function now()
          local t = ffi.new("moment")
          ffi.C.clock_gettime(1, t)
          return tonumber(t.s) + tonumber(t.n) / 1e9
        end
        local sent, begin = 0, 0
        function request()
          if sent == 0 then begin = now() end
          if sent == %1$d then
            print("SENT " .. (now() - begin))
            io.stdout:flush()
            wrk.thread:stop()
          end
          sent = sent + 1
          return wrk.format("POST", "%2$s%3$s", headers,
            '{"apiVersion":"v1","kind":"Service","metadata":{"name":"k%4$d-' .. sent ..
            '"},"spec":{"selector":{"app":"x"},"ports":[{"port":80}]}}')
        end
        """
            .formatted(count, JvmLoadGenerator.SERVICES, query, runs)
        + DONE;
  }

  @Override
  public Result get(int clients, int seconds, String path)
      throws IOException, InterruptedException {
    String script =
        HEADERS.formatted(target.token())
            + "wrk.path = \"%s\"%nwrk.headers = headers%n".formatted(path)
            + DONE;
    return run(clients, seconds, script, 0);
  }

  private static final String HEADERS =
      """
      headers = {
        ["Authorization"] = "Bearer %s",
        ["Accept"] = "application/json",
        ["Content-Type"] = "application/json"
      }
      """;

  private static final String DONE =
      """
      function done(summary, latency, requests)
        local e = summary.errors
        print(string.format("DONE %d %d %d %d %d", summary.requests, summary.duration,
          latency:percentile(50), latency:percentile(99),
          e.connect + e.read + e.write + e.status + e.timeout))
      end
      """;

  private Result run(int clients, int seconds, String script, int count)
      throws IOException, InterruptedException {
    Path file = Files.writeString(directory.resolve("load.lua"), script);
    Process wrk =
        new ProcessBuilder(
                "wrk",
                "-t1",
                "-c" + clients,
                "-d" + seconds,
                "--timeout=60",
                "-s" + file,
                "https://127.0.0.1:" + target.port())
            .redirectErrorStream(true)
            .start();
    List<String> said = new ArrayList<>();
    double sentSeconds = 0;
    try (BufferedReader lines = wrk.inputReader(StandardCharsets.UTF_8)) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        said.add(line);
        if (line.startsWith("SENT ")) {
          sentSeconds = Double.parseDouble(line.substring(5));
          interrupt(wrk.pid());
        }
      }
    } finally {
      wrk.destroy();
    }
    int exit = wrk.waitFor();
    String[] done = find(said, "DONE ");
    if (done == null || (count > 0 && sentSeconds == 0) || Long.parseLong(done[5]) > 0) {
      throw new IOException("wrk ended with " + exit + ": " + String.join("\n", said));
    }
    double perSecond =
        count > 0 ? count / sentSeconds : Double.parseDouble(done[1]) * 1e6 / number(done[2]);
    return new Result(perSecond, number(done[3]), number(done[4]));
  }

  private static double number(String text) {
    return Double.parseDouble(text);
  }

  private static String @Nullable [] find(List<String> lines, String prefix) {
    for (String line : lines) {
      if (line.startsWith(prefix)) {
        return line.split(" ");
      }
    }
    return null;
  }

  /// As Ctrl-C would: wrk then ends in order and tells what it measured.
  private static void interrupt(long pid) throws IOException, InterruptedException {
    new ProcessBuilder("kill", "-INT", Long.toString(pid)).start().waitFor();
  }
}
