/// Cluster DNS. See README.md.
module io.fairlead.dns {
  requires static org.jspecify;
  requires transitive io.fairlead.client;
  requires transitive io.prometheus.metrics.core;
  requires transitive io.prometheus.metrics.model;
  requires io.fairlead.kernel;
  requires io.prometheus.writer.text;
  requires java.net.http;
  requires org.slf4j;
  requires re2j;

  exports io.fairlead.dns;
  exports io.fairlead.dns.corefile;
  exports io.fairlead.dns.metrics;
  exports io.fairlead.dns.plugin;
  exports io.fairlead.dns.server;
  exports io.fairlead.dns.wire;

  uses io.fairlead.dns.plugin.PluginFactory;
}
