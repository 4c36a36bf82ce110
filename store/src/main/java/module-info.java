/// A revisioned key-value store with ordered watch.
module io.fairlead.store {
  requires static org.jspecify;

  exports io.fairlead.store;
}
