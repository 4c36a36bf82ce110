package io.fairlead.app.controllers;

import io.fairlead.controller.Controllers;
import io.fairlead.http.status.LoopHealth;
import io.fairlead.http.status.LoopMetrics;
import io.fairlead.server.component.ChangesPage;
import io.fairlead.server.component.ComponentPage;
import io.prometheus.metrics.expositionformats.PrometheusTextFormatWriter;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/// What controllers report about themselves.
public final class ControllerPages {
  /// Why pods are no endpoints: `?namespace=NS&service=NAME`, `?namespace=NS`, or all.
  public static final String REASONS = "/fairlead/reasons";

  private ControllerPages() {}

  public static ComponentPage reasons(Controllers controllers) {
    return new ComponentPage(
        "application/json",
        parameters ->
            controllers.reasons(parameters.apply("namespace"), parameters.apply("service")) + "\n");
  }

  /// What the controllers recorded of endpoints.
  static ComponentPage changes(Controllers controllers) {
    ChangesPage page = new ChangesPage();
    page.add(controllers::changes);
    return page.page();
  }

  /// Always 200 and `ok`; a line below names loops that fail: see [LoopHealth].
  static ComponentPage health() {
    return new ComponentPage(
        "text/plain; charset=utf-8",
        _ -> LoopHealth.problem().isEmpty() ? "ok" : "ok\n" + LoopHealth.line() + "\n");
  }

  static ComponentPage metrics(Controllers controllers) {
    PrometheusTextFormatWriter writer = PrometheusTextFormatWriter.create();
    LoopMetrics loops = new LoopMetrics();
    return new ComponentPage(
        writer.getContentType(),
        _ -> {
          ByteArrayOutputStream out = new ByteArrayOutputStream();
          try {
            List<MetricSnapshot> all = new ArrayList<>(loops.collect().stream().toList());
            controllers.metrics().forEach(all::add);
            writer.write(out, new MetricSnapshots(all));
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
          return out.toString(StandardCharsets.UTF_8);
        });
  }
}
