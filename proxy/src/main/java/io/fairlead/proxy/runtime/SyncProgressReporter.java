package io.fairlead.proxy.runtime;

import io.fairlead.api.net.IpAddress;
import io.fairlead.client.Client;
import io.fairlead.client.lease.ProxyReport;
import io.fairlead.client.lease.ReportWriter;
import io.fairlead.work.SupervisedLoop;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.TreeMap;

/// Reports how far this node's rules are, in a Lease: every ten seconds, and at once when an agent
/// may be waiting for it. What changes while one report is sent goes into the next.
///
/// Where the cluster does not let the proxy write there, the log says so once; then no pod's end
/// waits for this proxy, and nothing else is different. The loop `proxy-report` sends.
final class SyncProgressReporter implements AutoCloseable {
  private static final Duration RENEW = Duration.ofSeconds(10);

  private final ReportWriter writer;
  private final String node;
  private final InstantSource clock;
  private final Map<IpAddress.Family, FamilyReconciler> reconcilers;
  private final SupervisedLoop loop;
  private volatile String nodeApi = "";

  /// @param reconcilers what writes rules, complete before the start
  SyncProgressReporter(
      Client client,
      String node,
      InstantSource clock,
      Map<IpAddress.Family, FamilyReconciler> reconcilers) {
    this.writer =
        new ReportWriter(
            client, "cannot tell how far the rules are: no pod's end waits for this proxy");
    this.node = node;
    this.clock = clock;
    this.reconcilers = reconcilers;
    this.loop = SupervisedLoop.of("proxy-report").every(RENEW).build(this::send);
  }

  void start() {
    loop.start();
  }

  /// Sends a report soon: an agent may be waiting for it. Never blocks.
  void reportNow() {
    loop.wake();
  }

  /// Says from now on that this proxy has a node API of its own.
  ///
  /// @param fingerprint of its certificate; empty for none
  void nodeApi(String fingerprint) {
    nodeApi = fingerprint;
    reportNow();
  }

  /// The newest version of slices that rules show, by address type.
  private Map<String, String> written() {
    Map<String, String> versions = new TreeMap<>();
    reconcilers.forEach(
        (family, reconciler) ->
            versions.put(
                family == IpAddress.Family.IPV4 ? "IPv4" : "IPv6",
                // Rules of an earlier process may still lead anywhere.
                reconciler.writtenSlices().isEmpty() ? "0" : reconciler.writtenSlices()));
    return versions;
  }

  private void send() {
    writer.write(
        ProxyReport.key(node),
        ProxyReport.now(node, written(), clock.instant()).withNodeApi(nodeApi).toLease());
  }

  @Override
  public void close() {
    loop.close();
  }
}
