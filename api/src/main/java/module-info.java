/// The object model of Fairlead: what a Kubernetes object is, without any I/O.
module io.fairlead.api {
  requires static org.jspecify;
  requires transitive tools.jackson.databind;
  requires io.fairlead.schema;

  exports io.fairlead.api.json;
  exports io.fairlead.api.names;
  exports io.fairlead.api.net;
  exports io.fairlead.api.quantity;
  exports io.fairlead.api.schema;
  exports io.fairlead.api.selector;
  exports io.fairlead.api.status;
}
