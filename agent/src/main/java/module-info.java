/// The node agent. See README.md.
module io.fairlead.agent {
  requires static org.jspecify;
  requires transitive io.fairlead.client;
  requires com.google.protobuf;
  requires io.fairlead.kernel;
  requires io.grpc;
  requires io.grpc.netty;
  requires io.grpc.stub;
  requires io.netty.transport;
  requires io.prometheus.metrics.core;
  requires io.prometheus.metrics.model;
  requires io.prometheus.writer.text;
  requires jdk.httpserver;
  requires org.slf4j;

  exports io.fairlead.agent;
  exports io.fairlead.agent.api;
  exports io.fairlead.agent.builtin;
  exports io.fairlead.agent.discovery;
  exports io.fairlead.agent.image;
  exports io.fairlead.agent.lifecycle;
  exports io.fairlead.agent.log;
  exports io.fairlead.agent.network;
  exports io.fairlead.agent.pod;
  exports io.fairlead.agent.probe;
  exports io.fairlead.agent.routes;
  exports io.fairlead.agent.runtime;
  exports io.fairlead.agent.status;
  exports io.fairlead.agent.testing;
}
