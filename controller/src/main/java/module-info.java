/// The controllers: what keeps a cluster in the state its objects ask for. See README.md.
module io.fairlead.controller {
  requires static org.jspecify;
  requires transitive io.fairlead.client;
  requires transitive io.prometheus.metrics.model;
  requires io.prometheus.metrics.core;
  requires org.slf4j;

  exports io.fairlead.controller;
  exports io.fairlead.controller.endpointslice;
  exports io.fairlead.controller.loadbalancer;
  exports io.fairlead.controller.mirroring;
  exports io.fairlead.controller.nodeipam;
  exports io.fairlead.controller.runtime;
  exports io.fairlead.controller.serving;
  exports io.fairlead.controller.testing;
}
