package io.fairlead.agent;

import io.fairlead.agent.files.VolumeSourceWatcher;
import io.fairlead.agent.pod.Pod;
import io.fairlead.api.json.Json;
import io.fairlead.client.Client;
import io.fairlead.client.HasMetadata;
import io.fairlead.client.ObjectKey;
import io.fairlead.client.ObjectMeta;
import io.fairlead.client.ResourceType;
import io.fairlead.client.informer.ChangeHandler;
import io.fairlead.client.informer.Informer;
import io.fairlead.client.informer.ListWatchFactory;
import io.fairlead.client.informer.TimingSources;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import tools.jackson.databind.JsonNode;

/// Watches the ConfigMaps and Secrets that pods have as volumes, so that a change is in their files
/// at once. One watch for each object, as long as a pod uses it: a node may not watch more than its
/// pods use.
///
/// Safe for many threads: the map is guarded by this, the sets of pods are concurrent.
final class ApiVolumeSourceWatcher implements VolumeSourceWatcher, AutoCloseable {
  private record Source(ResourceType type, ObjectKey key) {}

  /// All that is kept of an object: its content is read when it is needed.
  private record Seen(ObjectMeta metadata) implements HasMetadata {}

  private record Followed(Informer<Seen> informer, Set<String> pods) {}

  private final Client client;
  private final TimingSources pacing;
  private final Consumer<String> changed;
  private final Map<Source, Followed> followed = new HashMap<>();

  /// @param changed gets the uid of a pod of which a volume may have new content
  ApiVolumeSourceWatcher(Client client, TimingSources pacing, Consumer<String> changed) {
    this.client = client;
    this.pacing = pacing;
    this.changed = changed;
  }

  @Override
  public synchronized void follow(Pod pod) {
    for (Source source : of(pod)) {
      followed.computeIfAbsent(source, this::begin).pods().add(pod.uid());
    }
  }

  @Override
  public void forget(Pod pod) {
    List<Followed> unused = new ArrayList<>();
    synchronized (this) {
      followed
          .values()
          .removeIf(
              one -> {
                boolean last = one.pods().remove(pod.uid()) && one.pods().isEmpty();
                if (last) {
                  unused.add(one);
                }
                return last;
              });
    }
    unused.forEach(one -> one.informer().close());
  }

  private Followed begin(Source source) {
    Informer<Seen> informer =
        new Informer<>(
            ListWatchFactory.objectsByField(
                client,
                source.type(),
                source.key().namespace(),
                "metadata.name=" + source.key().name()),
            object -> new Seen(ObjectMeta.of(object)),
            pacing);
    Set<String> pods = ConcurrentHashMap.newKeySet();
    // Also what was there before: it may have changed since a pod's files were written. Of what is
    // gone, pods keep what they have.
    informer.onChange(ChangeHandler.of(_ -> pods.forEach(changed), _ -> {}));
    informer.start();
    return new Followed(informer, pods);
  }

  private static Set<Source> of(Pod pod) {
    Set<Source> sources = new HashSet<>();
    for (JsonNode volume : pod.spec().path("volumes")) {
      add(pod, volume, sources);
      volume.path("projected").path("sources").forEach(part -> add(pod, part, sources));
    }
    return sources;
  }

  private static void add(Pod pod, JsonNode volume, Set<Source> into) {
    if (volume.has("configMap")) {
      into.add(
          new Source(
              ResourceType.CONFIG_MAPS,
              new ObjectKey(pod.namespace(), Json.textOr(volume, "", "configMap", "name"))));
    }
    if (volume.has("secret")) {
      JsonNode secret = volume.path("secret");
      into.add(
          new Source(
              ApiConfigDataReader.SECRETS,
              new ObjectKey(
                  pod.namespace(),
                  Json.textOr(secret, Json.textOr(secret, "", "name"), "secretName"))));
    }
  }

  @Override
  public void close() {
    List<Followed> all;
    synchronized (this) {
      all = List.copyOf(followed.values());
      followed.clear();
    }
    all.forEach(one -> one.informer().close());
  }
}
