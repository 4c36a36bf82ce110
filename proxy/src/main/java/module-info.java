/// The service proxy of a node. See README.md.
module io.fairlead.proxy {
  requires static org.jspecify;
  requires transitive io.fairlead.client;
  requires io.fairlead.kernel;
  requires org.slf4j;

  exports io.fairlead.proxy.core;
}
