package io.fairlead.app.systempod;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fairlead.api.json.Json;
import io.fairlead.app.systempod.SystemPodPublisher.ShownNode;
import io.fairlead.client.Client;
import io.fairlead.client.DeleteOptions;
import io.fairlead.client.ListOptions;
import io.fairlead.client.ObjectKey;
import io.fairlead.client.PatchType;
import io.fairlead.client.ResourceType;
import io.fairlead.client.testing.FakeApi;
import io.fairlead.proxy.config.ProxyConfiguration;
import io.fairlead.proxy.core.DataPlaneException;
import io.fairlead.work.LoopFaults;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// The components of a process as pods of kube-system, against an API server in memory.
class SystemPodPublisherTest {
  private static final Duration LIMIT = Duration.ofSeconds(30);
  private static final ObjectKey PROXY = new ObjectKey("kube-system", "kube-proxy-n");
  private static final ObjectKey DNS = new ObjectKey("kube-system", "kube-dns-n");
  private static final ObjectKey MAP = new ObjectKey("kube-system", "kube-proxy");
  private static final List<ResourceType> SERVED =
      List.of(ResourceType.PODS, ResourceType.NODES, ResourceType.CONFIG_MAPS, ResourceType.EVENTS);

  private final FakeApi api = new FakeApi(SERVED);
  private final Client client = new Client(api);
  private final PretendedProxy proxy = new PretendedProxy();
  private SystemPodPublisher publisher;

  /// A proxy that remembers what it was asked to follow.
  private static final class PretendedProxy implements ReconfigurableProxy {
    final List<String> followed = new ArrayList<>();
    volatile boolean ready = true;

    @Override
    public ProxyConfiguration configuration() {
      return ProxyConfiguration.defaults();
    }

    @Override
    public boolean ready() {
      return ready;
    }

    @Override
    public synchronized String follow(ProxyConfiguration wanted) {
      followed.add(wanted.text("mode"));
      if (wanted.text("mode").equals("ipvs")) {
        throw new DataPlaneException("this kernel has no IPVS");
      }
      return wanted.text("mode");
    }

    synchronized List<String> followed() {
      return List.copyOf(followed);
    }
  }

  @BeforeEach
  void start() {
    ObjectNode node = Json.object().put("apiVersion", "v1").put("kind", "Node");
    node.putObject("metadata").put("name", "n");
    client.create(ResourceType.NODES, "", node);
    publisher = begin("1-1");
    await().atMost(LIMIT).until(() -> ready(PROXY) && ready(DNS));
  }

  private SystemPodPublisher begin(String process) {
    return SystemPodPublisher.start(
        () -> new Client(api),
        new ShownNode("n", List.of("192.0.2.1"), "1.0", process),
        Optional.of(proxy),
        Optional.of(() -> true),
        Optional.empty(),
        InstantSource.system());
  }

  @AfterEach
  void stop() {
    publisher.close();
    api.close();
  }

  private Optional<ObjectNode> pod(ObjectKey key) {
    return client.find(ResourceType.PODS, key);
  }

  private String says(ObjectKey key, String... path) {
    return pod(key).map(pod -> Json.textOr(pod, "", path)).orElse("");
  }

  private String uid(ObjectKey key) {
    return says(key, "metadata", "uid");
  }

  private boolean ready(ObjectKey key) {
    for (JsonNode each :
        pod(key).map(pod -> pod.path("status").path("conditions")).orElse(Json.array())) {
      if (each.path("type").asString("").equals("Ready")) {
        return each.path("status").asString("").equals("True");
      }
    }
    return false;
  }

  private int restarts(ObjectKey key) {
    return pod(key)
        .map(pod -> pod.path("status").path("containerStatuses").path(0).path("restartCount"))
        .orElse(Json.object())
        .asInt(-1);
  }

  private String events() {
    StringBuilder text = new StringBuilder();
    client.list(ResourceType.EVENTS, "kube-system", ListOptions.ALL).items().stream()
        .map(event -> Json.textOr(event, "", "reason") + " " + Json.textOr(event, "", "message"))
        .forEach(line -> text.append(line).append('\n'));
    return text.toString();
  }

  private void write(String text) {
    ObjectNode patch = Json.object();
    patch.putObject("data").put("config.conf", text);
    client.patch(ResourceType.CONFIG_MAPS, MAP, PatchType.MERGE, patch);
  }

  private void delete(ObjectKey key) {
    String was = uid(key);
    client.delete(ResourceType.PODS, key, DeleteOptions.DEFAULT);
    await().atMost(LIMIT).until(() -> !uid(key).equals(was) && ready(key));
  }

  private static String conf(String lines) {
    return "apiVersion: kubeproxy.config.k8s.io/v1alpha1\nkind: KubeProxyConfiguration\n" + lines;
  }

  @Test
  void podsAreMirrorsWithTheLabelsPeopleLookFor() {
    assertThat(says(PROXY, "metadata", "labels", "k8s-app")).isEqualTo("kube-proxy");
    assertThat(says(DNS, "metadata", "labels", "k8s-app")).isEqualTo("kube-dns");
    assertThat(says(PROXY, "metadata", "annotations", "kubernetes.io/config.mirror")).hasSize(32);
    assertThat(says(PROXY, "spec", "nodeName")).isEqualTo("n");
    assertThat(says(PROXY, "status", "podIP")).isEqualTo("192.0.2.1");
    assertThat(pod(PROXY).orElseThrow().path("status").path("containerStatuses").toString())
        .contains("fairlead://proxy-1-1-");
  }

  @Test
  void theConfigMapHoldsWhatTheProxyRunsWith() {
    String text = Json.textOr(client.get(ResourceType.CONFIG_MAPS, MAP), "", "data", "config.conf");
    assertThat(KubeProxyConfigMap.parse(text).tree())
        .isEqualTo(ProxyConfiguration.defaults().tree());
  }

  @Test
  void aDeletedProxyPodComesBackAfterTheModeHasChanged() {
    write(conf("mode: iptables"));
    assertThat(proxy.followed()).isEmpty();
    delete(PROXY);
    assertThat(proxy.followed()).containsExactly("iptables");
    await()
        .atMost(LIMIT)
        .untilAsserted(() -> assertThat(events()).contains("the proxy runs in mode iptables"));
  }

  @Test
  void aDeletedDnsPodComesBackAndSaysThatNothingWasRestarted() {
    delete(DNS);
    assertThat(proxy.followed()).isEmpty();
    await()
        .atMost(LIMIT)
        .untilAsserted(() -> assertThat(events()).contains("NotRestarted the dns-server goes on"));
  }

  @Test
  void aModeThatCannotBeHadAndWhatWaitsForTheNextUpAreEvents() {
    write(conf("mode: ipvs\nipvs: {scheduler: wrr}"));
    delete(PROXY);
    await()
        .atMost(LIMIT)
        .untilAsserted(
            () ->
                assertThat(events())
                    .contains(
                        "ModeNotChanged the mode ipvs cannot be had, the proxy goes on as before:"
                            + " this kernel has no IPVS",
                        "NeedsUp takes effect with the next fairlead up: ipvs.scheduler"));
  }

  @Test
  void aTextThatCannotBeReadStaysAndIsAnEvent() {
    write("mode = ipvs");
    delete(PROXY);
    assertThat(proxy.followed()).isEmpty();
    await()
        .atMost(LIMIT)
        .untilAsserted(
            () ->
                assertThat(events())
                    .contains("InvalidConfiguration ConfigMap kube-system/kube-proxy is ignored"));
    publisher.close();
    publisher = begin("2-2");
    await().atMost(LIMIT).until(() -> restarts(PROXY) == 1);
    assertThat(Json.textOr(client.get(ResourceType.CONFIG_MAPS, MAP), "", "data", "config.conf"))
        .isEqualTo("mode = ipvs");
  }

  @Test
  void theNextProcessIsARestartOfTheSamePod() {
    String uid = uid(PROXY);
    assertThat(restarts(PROXY)).isZero();
    publisher.close();
    publisher = begin("2-2");
    await().atMost(LIMIT).until(() -> restarts(PROXY) == 1);
    assertThat(uid(PROXY)).isEqualTo(uid);
  }

  @Test
  void aComponentThatIsNotReadyShows() {
    proxy.ready = false;
    await().atMost(LIMIT).until(() -> !ready(PROXY));
    assertThat(ready(DNS)).isTrue();
    proxy.ready = true;
    await().atMost(LIMIT).until(() -> ready(PROXY));
  }

  @Test
  void podsOfComponentsThatNoLongerRunGo() {
    publisher.close();
    publisher =
        SystemPodPublisher.start(
            () -> new Client(api),
            new ShownNode("n", List.of("192.0.2.1"), "1.0", "2-2"),
            Optional.of(proxy),
            Optional.empty(),
            Optional.empty(),
            InstantSource.system());
    await().atMost(LIMIT).until(() -> pod(DNS).isEmpty());
    assertThat(pod(PROXY)).isPresent();
  }

  @Test
  void theLoopGoesOnAfterAFailure() {
    assertThat(LoopFaults.failOnce(SystemPodPublisher.LOOP)).isEqualTo(1);
    delete(PROXY);
  }
}
