package io.fairlead.controller.garbage;

import io.fairlead.client.Client;
import io.fairlead.client.Discovery;
import io.fairlead.client.ObjectMeta;
import io.fairlead.client.ResourceType;
import io.fairlead.client.informer.Informer;
import io.fairlead.work.SupervisedLoop;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Function;

/// Keeps up with kinds that come and go while the collector runs: those of
/// CustomResourceDefinitions. Asks what is served when a definition changes, and now and then.
final class DefinedKinds implements AutoCloseable {
  static final String LOOP = "garbage-discovery";

  private static final Duration EVERY = Duration.ofSeconds(30);

  private final Client client;
  private final Set<String> fixed;
  private final Function<ResourceType, Informer<ObjectMeta>> follow;
  private final Consumer<Discovery> asked;
  private final Consumer<ResourceType> gone;
  // Written by the loop's thread.
  private final Map<ResourceType, Informer<ObjectMeta>> followed = new ConcurrentHashMap<>();
  private final SupervisedLoop loop;

  /// @param known what the collector follows anyway
  /// @param follow makes the informer of a kind
  /// @param asked takes what is served
  /// @param gone takes a kind that is no longer served, and its objects with it
  DefinedKinds(
      Client client,
      Discovery known,
      Function<ResourceType, Informer<ObjectMeta>> follow,
      Consumer<Discovery> asked,
      Consumer<ResourceType> gone) {
    this.client = client;
    this.follow = follow;
    this.asked = asked;
    this.gone = gone;
    this.fixed = new HashSet<>();
    known.resources().forEach(served -> fixed.add(served.type().toString()));
    this.loop = SupervisedLoop.of(LOOP).afterEach(EVERY).build(this::look);
  }

  void start() {
    loop.start();
  }

  /// A definition has changed.
  void wake() {
    loop.wake();
  }

  private void look() {
    Discovery discovery = Discovery.of(client);
    asked.accept(discovery);
    Map<ResourceType, Informer<ObjectMeta>> left = new HashMap<>(followed);
    for (Discovery.ServedResource served : discovery.resources()) {
      ResourceType type = served.type();
      if (left.remove(type) == null
          && !fixed.contains(type.toString())
          && served.can("list", "watch", "delete")) {
        Informer<ObjectMeta> informer = follow.apply(type);
        followed.put(type, informer);
        informer.start();
      }
    }
    // A version that did not answer may still be there.
    if (discovery.failures().isEmpty()) {
      left.forEach(this::leave);
    }
  }

  private void leave(ResourceType type, Informer<ObjectMeta> informer) {
    followed.remove(type);
    informer.close();
    gone.accept(type);
  }

  @Override
  public void close() {
    loop.close();
    followed.values().forEach(Informer::close);
  }
}
