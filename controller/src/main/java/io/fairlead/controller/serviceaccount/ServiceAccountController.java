package io.fairlead.controller.serviceaccount;

import io.fairlead.api.json.Json;
import io.fairlead.client.ApiObject;
import io.fairlead.client.Client;
import io.fairlead.client.ResourceType;
import io.fairlead.client.informer.Informer;
import io.fairlead.client.informer.Pacing;
import io.fairlead.controller.runtime.EveryNamespace;
import java.util.Optional;
import tools.jackson.databind.node.ObjectNode;

/// The account pods run as when they name none: `default`, in every namespace, made again when
/// deleted. An account that is there is never changed.
public final class ServiceAccountController {
  private static final String NAME = "default";

  private ServiceAccountController() {}

  public static EveryNamespace of(Client client, Informer<ApiObject> namespaces, Pacing pacing) {
    return new EveryNamespace(
        "serviceaccount",
        client,
        ResourceType.SERVICE_ACCOUNTS,
        NAME,
        new Wanted(),
        namespaces,
        pacing);
  }

  private static final class Wanted implements EveryNamespace.Wanted {
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
