package io.fairlead.controller.auth;

import io.fairlead.api.json.Json;
import io.fairlead.client.ApiObject;
import io.fairlead.client.Client;
import io.fairlead.client.ResourceType;
import io.fairlead.client.informer.Informer;
import io.fairlead.client.informer.TimingSources;
import io.fairlead.controller.runtime.PerNamespaceController;
import java.util.Optional;
import tools.jackson.databind.node.ObjectNode;

/// The certificate pods check the API server with: ConfigMap `kube-root-ca.crt`, in every
/// namespace, restored when its content changes. Labels and annotations of others are left alone.
public final class RootCaController {
  private static final String NAME = "kube-root-ca.crt";
  private static final String FILE = "ca.crt";

  private RootCaController() {}

  /// @param rootCa PEM text
  public static PerNamespaceController of(
      Client client, String rootCa, Informer<ApiObject> namespaces, TimingSources pacing) {
    return new PerNamespaceController(
        "root-ca-publisher",
        client,
        ResourceType.CONFIG_MAPS,
        NAME,
        new DesiredConfigMap(rootCa),
        namespaces,
        pacing);
  }

  private record DesiredConfigMap(String rootCa) implements PerNamespaceController.DesiredObject {
    @Override
    public ObjectNode fresh() {
      ObjectNode map = Json.object().put("kind", "ConfigMap").put("apiVersion", "v1");
      map.putObject("metadata")
          .put("name", NAME)
          .putObject("annotations")
          .put(
              "kubernetes.io/description",
              "The CA bundle that verifies the API server inside this cluster; good for nothing"
                  + " else.");
      map.set("data", data());
      return map;
    }

    @Override
    public Optional<ObjectNode> corrected(ObjectNode present) {
      if (data().equals(present.get("data"))) {
        return Optional.empty();
      }
      present.set("data", data());
      return Optional.of(present);
    }

    private ObjectNode data() {
      return Json.object().put(FILE, rootCa);
    }
  }
}
