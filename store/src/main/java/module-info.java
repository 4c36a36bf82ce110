/// A revisioned key-value store with ordered watch.
module io.fairlead.store {
  requires static org.jspecify;
  requires java.sql;
  requires org.slf4j;
  requires org.xerial.sqlitejdbc;

  exports io.fairlead.store;
  exports io.fairlead.store.embedded;
  exports io.fairlead.store.testing;
}
