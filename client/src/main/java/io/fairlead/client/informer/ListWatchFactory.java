package io.fairlead.client.informer;

import io.fairlead.client.Client;
import io.fairlead.client.ListOptions;
import io.fairlead.client.ObjectPage;
import io.fairlead.client.ResourceType;
import io.fairlead.client.WatchOptions;
import io.fairlead.client.WatchStream;
import java.time.Duration;

/// The objects of one kind as informers want to read them.
public final class ListWatchFactory {
  private ListWatchFactory() {}

  /// Whole objects.
  ///
  /// @param namespace empty for all
  /// @param labelSelector empty for all
  public static ListWatch objects(
      Client client, ResourceType type, String namespace, String labelSelector) {
    return of(new Source(client, type, namespace, labelSelector, "", false));
  }

  /// As above, limited by a field such as `spec.nodeName=a`.
  public static ListWatch objectsByField(
      Client client, ResourceType type, String namespace, String fieldSelector) {
    return of(new Source(client, type, namespace, "", fieldSelector, false));
  }

  /// As above, limited by labels and by fields.
  public static ListWatch selected(
      Client client,
      ResourceType type,
      String namespace,
      String labelSelector,
      String fieldSelector) {
    return of(new Source(client, type, namespace, labelSelector, fieldSelector, false));
  }

  /// Only the metadata of objects, which is all some controllers look at.
  public static ListWatch metadata(Client client, ResourceType type) {
    return of(new Source(client, type, "", "", "", true));
  }

  /// All objects, by a watch of its own.
  static ListWatch unshared(Client client, ResourceType type) {
    return new Source(client, type, "", "", "", false);
  }

  /// A client that shares its watches does so for the resources they cover, in all namespaces.
  private static ListWatch of(Source source) {
    return source
        .client()
        .sharedWatches()
        .filter(shared -> source.namespace().isEmpty() && shared.covers(source.type()))
        .map(
            shared ->
                shared.of(source.type(), source.labelSelector(), source.fieldSelector(), source))
        .orElse(source);
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
    public ObjectPage list(String version, int limit, String continueToken) {
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
