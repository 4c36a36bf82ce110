/// NetworkPolicy on a node. See README.md.
module io.fairlead.policy {
  requires static org.jspecify;
  requires transitive io.fairlead.client;
  requires transitive io.fairlead.kernel;
  requires io.prometheus.metrics.core;
  requires io.prometheus.writer.text;
  requires io.prometheus.metrics.model;
  requires org.slf4j;

  exports io.fairlead.policy.core;
  exports io.fairlead.policy.nftables;
  exports io.fairlead.policy.runtime;
  exports io.fairlead.policy.testing;
}
