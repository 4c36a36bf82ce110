package io.fairlead.agent;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.agent.discovery.ServiceView;
import io.fairlead.api.yaml.Yaml;
import io.fairlead.client.Client;
import io.fairlead.client.ResourceType;
import io.fairlead.client.informer.Informer;
import io.fairlead.client.informer.ListWatchFactory;
import io.fairlead.client.informer.TimingSources;
import io.fairlead.client.testing.FakeApi;
import io.fairlead.client.transport.ApiRequest;
import io.fairlead.client.transport.ApiResponse;
import io.fairlead.client.transport.ConnectionException;
import io.fairlead.client.transport.LineStream;
import io.fairlead.client.transport.Transport;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

/// What a pod is told of Services made just before it. The copy follows one API and hears no more
/// of it; what really is there is another.
class RefreshingServiceListerTest {
  private final FakeApi heard = new FakeApi(List.of(ResourceType.SERVICES));
  private final FakeApi there = new FakeApi(List.of(ResourceType.SERVICES));
  private final AtomicInteger lists = new AtomicInteger();
  private volatile boolean away;
  private final Client client = new Client(new Counted());
  private final Informer<ServiceView> copy =
      new Informer<>(
          ListWatchFactory.objects(new Client(heard), ResourceType.SERVICES, "", ""),
          ServiceView::of,
          TimingSources.system());
  private final RefreshingServiceLister services = new RefreshingServiceLister(copy, client);

  @BeforeEach
  void begin() throws InterruptedException {
    for (FakeApi api : List.of(heard, there)) {
      add(api, "default", "first");
      add(api, "kube-system", "dns");
    }
    copy.start();
    copy.awaitSync();
  }

  @AfterEach
  void end() {
    copy.close();
  }

  @Test
  void whatIsNewEnoughIsNotAskedFor() {
    assertThat(names(services.since(copy.version(), "default")))
        .containsExactlyInAnyOrder("first", "dns");
    assertThat(lists).hasValue(0);
  }

  @Test
  void aServiceMadeBeforeThePodIsSeenThoughItsNewsAreNot() {
    add(there, "default", "second");
    String pod = add(there, "default", "third");
    assertThat(names(services.since(pod, "default")))
        .containsExactlyInAnyOrder("first", "second", "third", "dns");
    assertThat(names(services.all())).containsExactlyInAnyOrder("first", "dns");
  }

  @Test
  void oneListIsEnoughForAllThatCameBeforeIt() {
    String one = add(there, "default", "second");
    String other = add(there, "default", "third");
    services.since(other, "default");
    services.since(one, "default");
    services.since(other, "default");
    assertThat(lists).hasValue(1);
    services.since(add(there, "default", "fourth"), "default");
    services.since(other, "kube-system");
    assertThat(lists).hasValue(3);
  }

  @Test
  void whileTheApiIsAwayWhatWasSeenLastCounts() {
    String pod = add(there, "default", "second");
    away = true;
    assertThat(names(services.since(pod, "default"))).containsExactlyInAnyOrder("first", "dns");
  }

  private static List<String> names(Collection<ServiceView> services) {
    return services.stream().map(one -> one.metadata().name()).toList();
  }

  /// Makes a Service; its version.
  private static String add(FakeApi api, String namespace, String name) {
    ObjectNode service =
        (ObjectNode)
            Yaml.parse("{metadata: {name: %s}, spec: {ports: [{port: 80}]}}".formatted(name));
    return new Client(api)
        .create(ResourceType.SERVICES, namespace, service)
        .path("metadata")
        .path("resourceVersion")
        .asString();
  }

  private final class Counted implements Transport {
    @Override
    public ApiResponse send(ApiRequest request) {
      if (away) {
        throw new ConnectionException("nobody there");
      }
      lists.incrementAndGet();
      return there.send(request);
    }

    @Override
    public LineStream stream(ApiRequest request) {
      return there.stream(request);
    }

    @Override
    public void close() {}
  }
}
