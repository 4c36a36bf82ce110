package io.fairlead.proxy.nodeapi;

import io.fairlead.api.json.Json;
import io.fairlead.api.net.IpAddress;
import io.fairlead.api.status.ApiException;
import io.fairlead.client.informer.ResourceVersions;
import io.fairlead.proxy.node.SysctlFiles;
import io.fairlead.proxy.runtime.WrittenState;
import io.fairlead.work.Pacer;
import io.fairlead.work.Ticker;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.concurrent.Semaphore;
import tools.jackson.databind.node.ObjectNode;

/// `about`: what this node is and how far its rules are; on request, not before they are so far.
final class AboutDocument {
  private static final int MOST_WAITING = 64;
  private static final Duration LONGEST_WAIT = Duration.ofSeconds(30);
  private static final Duration GLANCE = Duration.ofMillis(10);
  private static final long NANOS_PER_SECOND = 1_000_000_000;
  private static final SysctlFiles SYSCTLS = new SysctlFiles(Path.of("/proc/sys"));

  private final NodeView view;
  private final InstantSource clock;
  private final Ticker ticker;
  private final Pacer pacer;
  private final Semaphore waiting = new Semaphore(MOST_WAITING);

  AboutDocument(NodeView view, InstantSource clock, Ticker ticker, Pacer pacer) {
    this.view = view;
    this.clock = clock;
    this.ticker = ticker;
    this.pacer = pacer;
  }

  ObjectNode answer(NodeApiRequest request) throws InterruptedException {
    String services = request.text("servicesAfter");
    String slices = request.text("slicesAfter");
    if (!services.isEmpty() || !slices.isEmpty()) {
      await(services, slices, seconds(request.text("wait")));
    }
    return document();
  }

  private static Duration seconds(String text) {
    if (text.isEmpty()) {
      return Duration.ZERO;
    }
    if (!text.matches("[0-9]{1,4}")) {
      throw ApiException.badRequest("wait is no number of seconds: " + text);
    }
    Duration asked = Duration.ofSeconds(Long.parseLong(text));
    return asked.compareTo(LONGEST_WAIT) > 0 ? LONGEST_WAIT : asked;
  }

  private void await(String services, String slices, Duration limit) throws InterruptedException {
    if (!waiting.tryAcquire()) {
      throw ApiException.tooManyRequests(MOST_WAITING + " requests wait already", 1);
    }
    try {
      long end = ticker.nanos() + limit.toNanos();
      while (!isWritten(services, slices) && ticker.nanos() - end < 0) {
        pacer.pause(GLANCE);
      }
    } finally {
      waiting.release();
    }
  }

  private boolean isWritten(String services, String slices) {
    return view.written().values().stream()
        .allMatch(state -> isAfter(state.services(), services) && isAfter(state.slices(), slices));
  }

  private static boolean isAfter(String written, String wanted) {
    return wanted.isEmpty()
        || (!written.isEmpty() && ResourceVersions.compare(written, wanted) >= 0);
  }

  private ObjectNode document() {
    Instant now = clock.instant();
    ObjectNode document =
        Json.object()
            .put("kind", "NodeAbout")
            .put("node", view.nodeName())
            .put("mode", view.mode().toString())
            .put("version", view.version())
            .put("kernel", line("/proc/sys/kernel/osrelease"))
            .put("now", now.getEpochSecond() * NANOS_PER_SECOND + now.getNano())
            .put("bootId", line("/proc/sys/kernel/random/boot_id"));
    ObjectNode written = document.putObject("written");
    Map<IpAddress.Family, WrittenState> states = view.written();
    written.put(
        "services", states.values().stream().map(WrittenState::services).findFirst().orElse(""));
    ObjectNode slices = written.putObject("slices");
    states.forEach((family, state) -> slices.put(family.toString(), state.slices()));
    states.values().stream()
        .max(java.util.Comparator.comparing(WrittenState::at))
        .ifPresent(
            state ->
                document
                    .putObject("lastSync")
                    .put("at", state.at().toString())
                    .put("tookMillis", state.took().toMillis())
                    .put("writes", state.writes()));
    capabilities(document.putObject("capabilities"));
    return document;
  }

  private static void capabilities(ObjectNode out) {
    out.put("trace", Files.exists(Path.of("/proc/net/netfilter/nf_log")) ? "nft" : "none")
        .put("conntrack", Files.exists(Path.of("/proc/sys/net/netfilter/nf_conntrack_max")))
        .put("acct", SYSCTLS.read("net/netfilter/nf_conntrack_acct", 0) == 1)
        .put("timestamp", SYSCTLS.read("net/netfilter/nf_conntrack_timestamp", 0) == 1)
        .put("events", SYSCTLS.read("net/netfilter/nf_conntrack_events", 0))
        .put("sockDiag", true)
        .put("ipvs", Files.exists(Path.of("/proc/net/ip_vs")));
  }

  private static String line(String file) {
    try {
      return Files.readString(Path.of(file)).strip();
    } catch (IOException e) {
      return "";
    }
  }
}
