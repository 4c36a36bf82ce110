/// The object model of Fairlead: what a Kubernetes object is, without any I/O.
module io.fairlead.api {
  requires static org.jspecify;
  requires transitive tools.jackson.databind;
  requires com.google.protobuf;
  requires io.fairlead.schema;
  requires org.snakeyaml.engine;

  exports io.fairlead.api.apply;
  exports io.fairlead.api.codec;
  exports io.fairlead.api.changes;
  exports io.fairlead.api.json;
  exports io.fairlead.api.loadbalancer;
  exports io.fairlead.api.names;
  exports io.fairlead.api.net;
  exports io.fairlead.api.patch;
  exports io.fairlead.api.protobuf;
  exports io.fairlead.api.quota;
  exports io.fairlead.api.schema;
  exports io.fairlead.api.selector;
  exports io.fairlead.api.status;
  exports io.fairlead.api.yaml;
}
