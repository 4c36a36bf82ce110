/// The API server.
module io.fairlead.server {
  requires static org.jspecify;
  requires transitive io.fairlead.api;
  requires transitive io.fairlead.http;
  requires transitive io.fairlead.store;
  requires com.google.protobuf;
  requires io.prometheus.metrics.core;
  requires io.prometheus.metrics.model;
  requires io.prometheus.writer.text;
  requires java.naming;
  requires org.bouncycastle.pkix;
  requires org.bouncycastle.provider;
  requires org.slf4j;
  requires re2j;

  exports io.fairlead.server;
  exports io.fairlead.server.audit;
  exports io.fairlead.server.auth;
  exports io.fairlead.server.auth.rbac;
  exports io.fairlead.server.component;
  exports io.fairlead.server.pki;
  exports io.fairlead.server.resource;
}
