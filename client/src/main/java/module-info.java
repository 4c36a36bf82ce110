/// Talking to an API server: connections, requests, watches, informers. See README.md.
module io.fairlead.client {
  requires static org.jspecify;
  requires transitive io.fairlead.api;
  requires transitive io.fairlead.http;
  requires transitive io.fairlead.work;
  requires java.net.http;
  requires transitive jdk.httpserver;
  requires org.slf4j;

  exports io.fairlead.client;
  exports io.fairlead.client.events;
  exports io.fairlead.client.informer;
  exports io.fairlead.client.kubeconfig;
  exports io.fairlead.client.lease;
  exports io.fairlead.client.objects;
  exports io.fairlead.client.testing;
  exports io.fairlead.client.tls;
  exports io.fairlead.client.transport;
}
