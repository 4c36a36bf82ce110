package io.fairlead.app.controllers;

import io.fairlead.controller.Controllers;
import io.fairlead.server.component.Page;
import io.prometheus.metrics.expositionformats.PrometheusTextFormatWriter;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/// What controllers tell about themselves.
public final class ControllerPages {
  /// Why pods are no endpoints: `?namespace=NS&service=NAME`, `?namespace=NS`, or all.
  public static final String REASONS = "/fairlead/reasons";

  private ControllerPages() {}

  public static Page reasons(Controllers controllers) {
    return new Page(
        "application/json",
        parameters ->
            controllers.reasons(parameters.apply("namespace"), parameters.apply("service")) + "\n");
  }

  static Page metrics(Controllers controllers) {
    PrometheusTextFormatWriter writer = PrometheusTextFormatWriter.create();
    return new Page(
        writer.getContentType(),
        _ -> {
          ByteArrayOutputStream out = new ByteArrayOutputStream();
          try {
            writer.write(out, controllers.metrics());
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
          return out.toString(StandardCharsets.UTF_8);
        });
  }
}
