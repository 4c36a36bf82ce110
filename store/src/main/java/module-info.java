/// A revisioned key-value store with ordered watch.
module io.fairlead.store {
  requires static org.jspecify;
  requires org.slf4j;

  exports io.fairlead.store;
  exports io.fairlead.store.testing;
}
