/// Cluster DNS. See README.md.
module io.fairlead.dns {
  requires static org.jspecify;
  requires transitive io.fairlead.client;
  requires io.fairlead.kernel;
  requires org.slf4j;
}
