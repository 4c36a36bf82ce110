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

/// The account pods run as when they name none: `default`, in every namespace, made again when
/// deleted. An account that is there is never changed.
public final class ServiceAccountController {
  private static final String NAME = "default";

  private ServiceAccountController() {}

  public static PerNamespaceController of(
      Client client, Informer<ApiObject> namespaces, TimingSources pacing) {
    return new PerNamespaceController(
        "serviceaccount",
        client,
        ResourceType.SERVICE_ACCOUNTS,
        NAME,
        new DesiredServiceAccount(),
        namespaces,
        pacing);
  }

  private static final class DesiredServiceAccount implements PerNamespaceController.DesiredObject {
    @Override
    public ObjectNode fresh() {
      ObjectNode account = Json.object().put("kind", "ServiceAccount").put("apiVersion", "v1");
      account.putObject("metadata").put("name", NAME);
      return account;
    }

    @Override
    public Optional<ObjectNode> corrected(ObjectNode present) {
      return Optional.empty();
    }
  }
}
