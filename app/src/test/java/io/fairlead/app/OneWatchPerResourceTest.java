package io.fairlead.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fairlead.app.dns.CorefileConfiguration;
import io.fairlead.app.dns.NameServer;
import io.fairlead.client.ApiObject;
import io.fairlead.client.Client;
import io.fairlead.client.ResourceType;
import io.fairlead.client.informer.Informer;
import io.fairlead.client.informer.ListWatchFactory;
import io.fairlead.client.informer.SharedWatches;
import io.fairlead.client.informer.TimingSources;
import io.fairlead.client.testing.FakeApi;
import io.fairlead.controller.Controllers;
import io.fairlead.dns.server.DnsServer;
import io.fairlead.proxy.runtime.ServiceInformers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Controllers, proxy, DNS and agent of one process follow each resource by one watch.
class OneWatchPerResourceTest {
  private static final Duration LIMIT = Duration.ofSeconds(60);

  private static final List<ResourceType> SERVED =
      List.of(
          ResourceType.PODS,
          ResourceType.NODES,
          ResourceType.SERVICES,
          ResourceType.ENDPOINTS,
          ResourceType.ENDPOINT_SLICES,
          ResourceType.CONFIG_MAPS,
          ResourceType.SERVICE_ACCOUNTS,
          ResourceType.EVENTS,
          ResourceType.LEASES,
          ResourceType.DEPLOYMENTS,
          ResourceType.REPLICA_SETS,
          ResourceType.STATEFUL_SETS,
          ResourceType.DAEMON_SETS,
          ResourceType.CONTROLLER_REVISIONS,
          ResourceType.JOBS,
          ResourceType.CRON_JOBS,
          ResourceType.SECRETS,
          ResourceType.REPLICATION_CONTROLLERS,
          ResourceType.POD_DISRUPTION_BUDGETS,
          ResourceType.RESOURCE_QUOTAS,
          ResourceType.PERSISTENT_VOLUMES,
          ResourceType.PERSISTENT_VOLUME_CLAIMS,
          ResourceType.CLUSTER_ROLES,
          ResourceType.SERVICE_CIDRS,
          ResourceType.IP_ADDRESSES);

  private final FakeApi api = new FakeApi(SERVED);
  private final Client admin = new Client(api);
  private final SharedWatches watches = new SharedWatches(admin, StandardServer.SHARED);

  private Client client() {
    return new Client(api).sharing(watches);
  }

  @Test
  void everyResourceIsWatchedOnce(@TempDir Path directory) throws Exception {
    Path corefile =
        Files.writeString(
            directory.resolve("Corefile"),
            """
            cluster.local:0 {
                bind 127.0.0.1
                kubernetes {
                    endpoint http://127.0.0.1:1
                    pods verified
                }
            }
            """);
    // Of components that begin at the same time, one whose state is older than the shared watch
    // keeps its own until that ends. So the shared ones are opened first.
    List<Informer<?>> first = new ArrayList<>();
    for (ResourceType type : StandardServer.SHARED) {
      Informer<?> one =
          new Informer<>(
              ListWatchFactory.objects(client(), type, "", ""),
              ApiObject::of,
              TimingSources.system());
      first.add(one);
      one.start();
      one.awaitSync();
    }
    try (Controllers controllers = Controllers.start(client(), Controllers.Options.single("PEM"));
        ServiceInformers proxy = new ServiceInformers(client(), TimingSources.system());
        DnsServer dns =
            NameServer.start(
                CorefileConfiguration.of(corefile.toString(), 0, Map.of()),
                InstantSource.system(),
                _ -> client());
        Informer<?> agent =
            new Informer<>(
                ListWatchFactory.objectsByField(
                    client(), ResourceType.PODS, "", "spec.nodeName=n1"),
                ApiObject::of,
                TimingSources.system())) {
      proxy.start();
      agent.start();
      agent.awaitSync();
      await().atMost(LIMIT).until(() -> controllers.working() && dns.ready());
      await()
          .atMost(LIMIT)
          .untilAsserted(
              () -> {
                List<String> several = new ArrayList<>();
                for (ResourceType type : StandardServer.SHARED) {
                  int open = api.openWatches(type);
                  if (open != 1) {
                    several.add(type + " " + open);
                  }
                }
                assertThat(several).isEmpty();
              });
    } finally {
      first.forEach(Informer::close);
      watches.close();
      api.close();
    }
  }
}
