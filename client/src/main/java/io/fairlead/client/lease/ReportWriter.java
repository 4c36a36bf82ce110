package io.fairlead.client.lease;

import io.fairlead.api.json.Json;
import io.fairlead.api.status.ApiException;
import io.fairlead.client.ApiErrors;
import io.fairlead.client.Client;
import io.fairlead.client.ObjectKey;
import io.fairlead.client.PatchType;
import io.fairlead.client.ResourceType;
import io.fairlead.client.transport.ConnectionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.node.ObjectNode;

/// Writes the Lease in which a component of a node reports. A cluster that does not let the
/// component write it is logged once; nothing else depends on it. Owned by one thread.
public final class ReportWriter {
  private static final Logger log = LoggerFactory.getLogger(ReportWriter.class);

  private final Client client;
  private final String consequence;
  private boolean refused;

  /// @param consequence what a report that cannot be written means, for the log
  public ReportWriter(Client client, String consequence) {
    this.client = client;
    this.consequence = consequence;
  }

  /// As a new object: a patch takes away what is null, where there is nothing to take away from.
  private static ObjectNode whole(ObjectNode lease) {
    ObjectNode made = lease.deepCopy();
    if (Json.at(made, "metadata", "annotations") instanceof ObjectNode annotations) {
      annotations.properties().removeIf(each -> each.getValue().isNull());
    }
    return made;
  }

  /// Updates the Lease, or creates it where there is none.
  public void write(ObjectKey key, ObjectNode lease) {
    try {
      try {
        client.patch(ResourceType.LEASES, key, PatchType.MERGE, lease);
      } catch (ApiException e) {
        if (!ApiErrors.isNotFound(e)) {
          throw e;
        }
        client.create(ResourceType.LEASES, key.namespace(), whole(lease));
      }
      refused = false;
    } catch (ApiException | ConnectionException e) {
      if (!refused) {
        refused = true;
        log.atInfo().addKeyValue("why", e.getMessage()).log(consequence);
      }
    }
  }
}
