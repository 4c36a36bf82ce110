package io.fairlead.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.StatusDetails;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.DeploymentBuilder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.Watch;
import io.fabric8.kubernetes.client.Watcher;
import io.fabric8.kubernetes.client.WatcherException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

@Tag("system")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class Fabric8Test {
  private static final String NAMESPACE = "default";

  private TestServer server;
  private KubernetesClient client;

  @BeforeAll
  void start(@TempDir Path directory) {
    server = TestServer.start(directory, 34);
    Config config =
        new ConfigBuilder(Config.empty())
            .withMasterUrl(server.url().toString())
            .withOauthToken(server.token())
            .withTrustCerts(true)
            .withNamespace(NAMESPACE)
            .build();
    client = new KubernetesClientBuilder().withConfig(config).build();
  }

  @AfterAll
  void stop() {
    client.close();
    server.close();
  }

  @Test
  void createsReadsEditsAndDeletes() {
    ConfigMap made = client.configMaps().resource(configMap("crud", "a", "1")).create();
    assertThat(made.getMetadata().getUid()).isNotEmpty();
    ConfigMap edited =
        client
            .configMaps()
            .withName("crud")
            .edit(map -> new ConfigMapBuilder(map).addToData("b", "2").build());
    assertThat(edited.getData()).containsExactlyInAnyOrderEntriesOf(Map.of("a", "1", "b", "2"));
    List<StatusDetails> gone = client.configMaps().withName("crud").delete();
    assertThat(gone).hasSize(1);
    assertThat(client.configMaps().withName("crud").get()).isNull();
  }

  @Test
  void anOldResourceVersionConflicts() {
    ConfigMap first = client.configMaps().resource(configMap("stale", "a", "1")).create();
    client.configMaps().resource(configMap("stale", "a", "2")).update();
    ConfigMap stale = new ConfigMapBuilder(first).addToData("a", "3").build();
    assertThatThrownBy(() -> client.configMaps().resource(stale).update())
        .isInstanceOf(KubernetesClientException.class)
        .hasMessageContaining("the object has been modified");
  }

  @Test
  void appliesOnTheServerAndMeetsConflicts() {
    ConfigMap mine = configMap("applied", "a", "1");
    ConfigMap made = client.configMaps().resource(mine).fieldManager("one").serverSideApply();
    assertThat(made.getMetadata().getManagedFields()).hasSize(1);
    ConfigMap theirs = configMap("applied", "a", "2");
    assertThatThrownBy(
            () ->
                client
                    .configMaps()
                    .resource(theirs)
                    .patch(
                        new PatchContext.Builder()
                            .withPatchType(PatchType.SERVER_SIDE_APPLY)
                            .withFieldManager("two")
                            .withForce(false)
                            .build()))
        .isInstanceOf(KubernetesClientException.class)
        .hasMessageContaining("conflict with \"one\"");
    ConfigMap forced =
        client.configMaps().resource(theirs).fieldManager("two").forceConflicts().serverSideApply();
    assertThat(forced.getData()).containsEntry("a", "2");
  }

  @Test
  void scalesADeployment() {
    Deployment deployment =
        new DeploymentBuilder()
            .withNewMetadata()
            .withName("scaled")
            .endMetadata()
            .withNewSpec()
            .withReplicas(1)
            .withNewSelector()
            .addToMatchLabels("app", "scaled")
            .endSelector()
            .withNewTemplate()
            .withNewMetadata()
            .addToLabels("app", "scaled")
            .endMetadata()
            .withNewSpec()
            .addNewContainer()
            .withName("c")
            .withImage("nginx:1.27")
            .endContainer()
            .endSpec()
            .endTemplate()
            .endSpec()
            .build();
    client.apps().deployments().resource(deployment).create();
    client.apps().deployments().withName("scaled").scale(3);
    Deployment scaled = client.apps().deployments().withName("scaled").get();
    assertThat(scaled.getSpec().getReplicas()).isEqualTo(3);
    assertThat(scaled.getMetadata().getGeneration()).isEqualTo(2);
  }

  @Test
  void watchesThroughAWebSocket() {
    List<String> seen = new CopyOnWriteArrayList<>();
    Watcher<ConfigMap> watcher =
        new Watcher<>() {
          @Override
          public void eventReceived(Action action, ConfigMap map) {
            seen.add(action + " " + map.getMetadata().getName());
          }

          @Override
          public void onClose(WatcherException cause) {
            seen.add("closed");
          }
        };
    try (Watch _ = client.configMaps().withLabel("watched").watch(watcher)) {
      ConfigMap map = configMap("watched", "a", "1");
      map.getMetadata().setLabels(Map.of("watched", "yes"));
      client.configMaps().resource(map).create();
      map.setData(Map.of("a", "2"));
      client.configMaps().resource(map).update();
      client.configMaps().withName("watched").delete();
      await()
          .atMost(Duration.ofSeconds(60))
          .untilAsserted(
              () ->
                  assertThat(seen)
                      .containsExactly("ADDED watched", "MODIFIED watched", "DELETED watched"));
    }
  }

  @Test
  void anInformerEndsInTheStateOfTheServer() {
    AtomicInteger deletes = new AtomicInteger();
    ResourceEventHandler<ConfigMap> handler =
        new ResourceEventHandler<>() {
          @Override
          public void onAdd(ConfigMap map) {}

          @Override
          public void onUpdate(ConfigMap before, ConfigMap after) {}

          @Override
          public void onDelete(ConfigMap map, boolean unknown) {
            deletes.incrementAndGet();
          }
        };
    int count = 100;
    for (int i = 0; i < count / 2; i++) {
      client.configMaps().resource(labelled(i, "before")).create();
    }
    try (SharedIndexInformer<ConfigMap> informer =
        client.configMaps().withLabel("informed").inform(handler)) {
      for (int i = count / 2; i < count; i++) {
        client.configMaps().resource(labelled(i, "before")).create();
      }
      for (int i = 0; i < count; i++) {
        if (i % 3 == 0) {
          client.configMaps().withName("informed-" + i).delete();
        } else {
          client.configMaps().resource(labelled(i, "after")).update();
        }
      }
      await()
          .atMost(Duration.ofSeconds(20))
          .untilAsserted(
              () ->
                  assertThat(informer.getStore().list())
                      .hasSize(66)
                      .allSatisfy(map -> assertThat(map.getData()).containsEntry("a", "after")));
      assertThat(deletes).hasValue(34);
    }
  }

  private static ConfigMap labelled(int number, String value) {
    ConfigMap map = configMap("informed-" + number, "a", value);
    map.getMetadata().setLabels(Map.of("informed", "yes"));
    return map;
  }

  private static ConfigMap configMap(String name, String key, String value) {
    return new ConfigMapBuilder()
        .withNewMetadata()
        .withName(name)
        .endMetadata()
        .addToData(key, value)
        .build();
  }
}
