package io.fairlead.app.command;

import io.fairlead.api.json.Json;
import io.fairlead.api.names.NearestName;
import io.fairlead.api.status.ApiException;
import io.fairlead.app.cli.ErrorCode;
import io.fairlead.app.cli.FairleadException;
import io.fairlead.app.text.Phrase;
import io.fairlead.client.Client;
import io.fairlead.client.ListOptions;
import io.fairlead.client.ObjectKey;
import io.fairlead.client.ResourceType;
import io.fairlead.client.transport.ConnectionException;
import java.util.List;

/// What is said about a Service that is not there: the one that was most likely meant, of the same
/// namespace.
public final class MissingService {
  private MissingService() {}

  /// Asks the API server which there are.
  public static FairleadException of(Client client, ObjectKey key) {
    try {
      return of(
          key,
          client
              .listMetadata(ResourceType.SERVICES, key.namespace(), ListOptions.ALL)
              .items()
              .stream()
              .map(service -> Json.textOr(service, "", "metadata", "name"))
              .toList());
    } catch (ApiException | ConnectionException _) {
      // Who may read one need not be allowed to list all.
      return of(key, List.of());
    }
  }

  /// @param names of the Services that there are in its namespace
  public static FairleadException of(ObjectKey key, List<String> names) {
    Phrase next =
        NearestName.to(key.name(), names.stream())
            .map(near -> Phrase.of("FL100.near", near, key.namespace()))
            .orElse(Phrase.of("FL100.all"));
    return new FairleadException(ErrorCode.FL100, key.toString(), next);
  }
}
