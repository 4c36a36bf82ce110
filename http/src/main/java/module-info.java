/// What every component does with HTTP and TLS. See README.md.
module io.fairlead.http {
  requires static org.jspecify;
  requires transitive io.fairlead.api;
  requires transitive io.fairlead.work;
  requires transitive io.prometheus.metrics.model;
  requires jdk.httpserver;
  requires org.eclipse.jetty.alpn.server;
  requires org.eclipse.jetty.http2.server;
  requires org.eclipse.jetty.server;
  requires org.eclipse.jetty.websocket.server;
  requires org.slf4j;

  exports io.fairlead.http.message;
  exports io.fairlead.http.server;
  exports io.fairlead.http.status;
  exports io.fairlead.http.tls;
}
