/// Build-time extraction of the Kubernetes types.
module io.fairlead.schema {
  requires static tools.jackson.databind;
  requires static org.jspecify;
}
