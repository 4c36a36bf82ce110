/// The API server.
module io.fairlead.server {
  requires static org.jspecify;
  requires org.slf4j;
  requires transitive io.fairlead.api;
  requires transitive io.fairlead.store;
  requires java.naming;
  requires org.bouncycastle.pkix;
  requires org.bouncycastle.provider;

  exports io.fairlead.server;
  exports io.fairlead.server.auth;
  exports io.fairlead.server.pki;
  exports io.fairlead.server.resource;
}
