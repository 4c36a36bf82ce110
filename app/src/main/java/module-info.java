/// The command line and the wiring of the parts. See README.md.
module io.fairlead.app {
  requires static org.jspecify;
  requires transitive io.fairlead.api;
  requires transitive io.fairlead.server;
  requires transitive io.fairlead.store;
  requires transitive io.fairlead.agent;
  requires io.fairlead.client;
  requires io.fairlead.http;
  requires io.fairlead.insight;
  requires transitive io.fairlead.ui;
  requires io.fairlead.controller;
  requires io.fairlead.dns;
  requires io.fairlead.kernel;
  requires transitive io.fairlead.proxy;
  requires transitive io.fairlead.policy;
  requires io.prometheus.metrics.model;
  requires io.prometheus.writer.text;
  requires java.logging;
  requires jdk.unsupported;
  requires org.slf4j;

  exports io.fairlead.app;
}
