package io.fairlead.controller.quota;

import io.fairlead.api.quota.QuotaSubject;
import io.fairlead.client.HasMetadata;
import io.fairlead.client.ObjectMeta;
import io.fairlead.client.ResourceType;
import io.fairlead.controller.runtime.InformerKind;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.node.ObjectNode;

/// An object of a kind that quotas count, and what it uses. Immutable.
record CountedObject(ObjectMeta metadata, QuotaSubject subject) implements HasMetadata {
  static final String BY_NAMESPACE = "namespace";

  /// The kinds that are counted. A quota for another one says nothing of its use.
  static final List<InformerKind<CountedObject>> KINDS = kinds();

  private static List<InformerKind<CountedObject>> kinds() {
    List<InformerKind<CountedObject>> kinds = new ArrayList<>();
    for (ResourceType type :
        List.of(
            ResourceType.PODS,
            ResourceType.SERVICES,
            ResourceType.CONFIG_MAPS,
            ResourceType.SECRETS,
            ResourceType.PERSISTENT_VOLUME_CLAIMS,
            ResourceType.REPLICATION_CONTROLLERS,
            ResourceType.RESOURCE_QUOTAS,
            ResourceType.DEPLOYMENTS,
            ResourceType.REPLICA_SETS,
            ResourceType.STATEFUL_SETS,
            ResourceType.DAEMON_SETS,
            ResourceType.JOBS,
            ResourceType.CRON_JOBS)) {
      kinds.add(
          InformerKind.of(type, body -> of(type, body))
              .indexedBy(BY_NAMESPACE, one -> List.of(one.metadata().namespace())));
    }
    return List.copyOf(kinds);
  }

  private static CountedObject of(ResourceType type, ObjectNode body) {
    return new CountedObject(
        ObjectMeta.of(body), QuotaSubject.of(type.group(), type.plural(), body));
  }
}
