package io.fairlead.policy.runtime;

import io.fairlead.api.status.ApiException;
import io.fairlead.client.ApiErrors;
import io.fairlead.client.Client;
import io.fairlead.client.DeleteOptions;
import io.fairlead.client.ResourceType;
import io.fairlead.client.lease.PolicyReport;
import io.fairlead.client.lease.ReportWriter;
import io.fairlead.work.SupervisedLoop;
import java.time.Duration;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Writes the node's report: every ten seconds, and at once when the kernel shows a pod that the
/// agent may be waiting for. Several such pods are reported together.
///
/// A cluster that does not let the component write there loses only the wait; the log says so once.
final class PolicyReporter implements AutoCloseable {
  static final String KIND = "policy-report";

  private static final Duration RENEW = Duration.ofSeconds(10);

  private final ReportWriter writer;
  private final Supplier<@Nullable PolicyReport> reports;
  private final SupervisedLoop loop;

  /// @param reports the report of now; null while there is nothing to report
  PolicyReporter(Client client, Supplier<@Nullable PolicyReport> reports) {
    this.writer =
        new ReportWriter(
            client, "cannot report which pods are protected: no pod's start waits for it");
    this.reports = reports;
    this.loop = SupervisedLoop.of(KIND).every(RENEW).build(this::step);
  }

  void start() {
    loop.start();
  }

  /// Reports at once. Never blocks.
  void wake() {
    loop.wake();
  }

  private void step() {
    PolicyReport report = reports.get();
    if (report == null) {
      return;
    }
    writer.write(PolicyReport.key(report.node()), report.toLease());
  }

  /// Takes the report away.
  static void delete(Client client, String node) {
    try {
      client.delete(ResourceType.LEASES, PolicyReport.key(node), DeleteOptions.DEFAULT);
    } catch (ApiException e) {
      if (!ApiErrors.isNotFound(e)) {
        throw e;
      }
    }
  }

  @Override
  public void close() {
    loop.close();
  }
}
