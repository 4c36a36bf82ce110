/// A revisioned key-value store with ordered watch.
module io.fairlead.store {
  requires static org.jspecify;
  requires com.google.protobuf;
  requires io.grpc;
  requires io.grpc.netty;
  requires io.grpc.stub;
  requires io.netty.handler;
  requires java.sql;
  requires jetcd.grpc;
  requires transitive io.fairlead.work;
  requires org.slf4j;
  requires org.xerial.sqlitejdbc;

  exports io.fairlead.store;
  exports io.fairlead.store.embedded;
  exports io.fairlead.store.etcd;
  exports io.fairlead.store.testing;
}
