package io.fairlead.server.paths;

import io.fairlead.http.server.HttpServerExchange;
import io.fairlead.server.render.ResponseBody;
import io.prometheus.metrics.expositionformats.ExpositionFormatWriter;
import io.prometheus.metrics.expositionformats.PrometheusTextFormatWriter;
import java.io.IOException;
import java.io.OutputStream;

/// Serves `/metrics` in the text format of Prometheus.
public final class MetricsPath implements PathHandler {
  private final ApiServerMetrics metrics;
  private final ExpositionFormatWriter writer = PrometheusTextFormatWriter.create();

  public MetricsPath(ApiServerMetrics metrics) {
    this.metrics = metrics;
  }

  @Override
  public boolean handle(HttpServerExchange exchange) throws IOException {
    if (!exchange.path().equals("/metrics")) {
      return false;
    }
    exchange.setStatus(200);
    exchange.setHeader("Content-Type", writer.getContentType());
    try (OutputStream out = new ResponseBody(exchange)) {
      writer.write(out, metrics.registry().scrape());
    }
    return true;
  }
}
