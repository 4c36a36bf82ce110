/// The types of the Kubernetes API as one resource, `io/fairlead/schema/kubernetes.schema`.
///
/// The classes here run at build time only; the libraries they read are not needed afterwards.
module io.fairlead.schema {
  requires static org.jspecify;
  requires static com.google.gson;
  requires static com.google.protobuf;
  requires static io.swagger.annotations;

  opens io.fairlead.schema;
}
