package io.fairlead.client.informer;

import io.fairlead.client.Client;
import io.fairlead.client.ListOptions;
import io.fairlead.client.Page;
import io.fairlead.client.ResourceType;
import io.fairlead.client.WatchOptions;
import io.fairlead.client.WatchStream;
import java.time.Duration;

/// The objects of one kind as informers want to read them.
public final class ListWatches {
  private ListWatches() {}

  /// Whole objects.
  ///
  /// @param namespace empty for all
  /// @param labelSelector empty for all
  public static ListWatch objects(
      Client client, ResourceType type, String namespace, String labelSelector) {
    return new Source(client, type, namespace, labelSelector, "", false);
  }

  /// As above, limited by a field such as `spec.nodeName=a`.
  public static ListWatch objectsByField(
      Client client, ResourceType type, String namespace, String fieldSelector) {
    return new Source(client, type, namespace, "", fieldSelector, false);
  }

  /// As above, limited by labels and by fields.
  public static ListWatch selected(
      Client client,
      ResourceType type,
      String namespace,
      String labelSelector,
      String fieldSelector) {
    return new Source(client, type, namespace, labelSelector, fieldSelector, false);
  }

  /// Only the metadata of objects, which is all some controllers look at.
  public static ListWatch metadata(Client client, ResourceType type) {
    return new Source(client, type, "", "", "", true);
  }

  private record Source(
      Client client,
      ResourceType type,
      String namespace,
      String labelSelector,
      String fieldSelector,
      boolean metadataOnly)
      implements ListWatch {
    @Override
    public Page list(String version, int limit, String continueToken) {
      ListOptions options =
          new ListOptions(
              labelSelector,
              fieldSelector,
              version,
              version.isEmpty() || version.equals("0") ? "" : "NotOlderThan",
              limit,
              continueToken);
      return metadataOnly
          ? client.listMetadata(type, namespace, options)
          : client.list(type, namespace, options);
    }

    @Override
    public WatchStream watch(String version, boolean initialEvents, Duration timeout) {
      WatchOptions options =
          new WatchOptions(labelSelector, fieldSelector, version, initialEvents, timeout);
      return metadataOnly
          ? client.watchMetadata(type, namespace, options)
          : client.watch(type, namespace, options);
    }

    @Override
    public String toString() {
      return type.toString();
    }
  }
}
