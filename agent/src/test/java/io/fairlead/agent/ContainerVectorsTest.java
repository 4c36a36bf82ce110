package io.fairlead.agent;

import static io.fairlead.agent.ContainersFixture.BUSYBOX;
import static io.fairlead.agent.ContainersFixture.PATIENCE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fairlead.api.json.Json;
import io.fairlead.client.ResourceType;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/// Vectors of the specification with real containers.
@Tag("system")
class ContainerVectorsTest {
  private static final String TRAP = "trap 'exit 0' TERM; while :; do sleep 0.1; done";

  @TempDir static Path directory;
  private static ContainersFixture lab;

  @BeforeAll
  static void start() throws InterruptedException {
    lab = ContainersFixture.start(directory);
  }

  @AfterAll
  static void stop() throws IOException {
    if (lab != null) {
      lab.close();
    }
  }

  /// A container that runs a script and then waits to be ended.
  private static String runs(String script) {
    return "containers: [{name: c, image: '"
        + BUSYBOX
        + "', command: [sh, -c, \""
        + script
        + "; "
        + TRAP
        + "\"]}]";
  }

  @Test
  void n1AndN3EveryPodAnswersItsOwnName() {
    TreeSet<String> addresses = new TreeSet<>();
    List<String> names = List.of("web-0", "web-1", "web-2");
    String serve = "mkdir /www; cp /etc/hostname /www/index.html; httpd -p 9376 -h /www";
    names.forEach(name -> lab.pod(name, runs(serve)));
    for (String name : names) {
      lab.cluster().awaitReady(name);
      String address = Json.textOr(lab.cluster().pod(name), "", "status", "podIP");
      assertThat(address).startsWith("10.244.9.");
      addresses.add(address);
      await()
          .atMost(PATIENCE)
          .until(
              () ->
                  lab.onNode("curl", "-s", "--max-time", "20", "http://" + address + ":9376/")
                      .strip()
                      .equals(name));
    }
    assertThat(addresses).hasSize(3);
    await()
        .atMost(PATIENCE)
        .untilAsserted(
            () -> assertThat(lab.events("web-0")).contains("Pulled", "Created", "Started"));
    names.forEach(lab.cluster()::delete);
  }

  /// N35, N44, N49 and N51: what a container is told about where things are.
  @Test
  void n35AndN44AndN49AndN51AContainerFindsThings() throws IOException {
    lab.cluster()
        .create(
            ResourceType.SERVICES,
            "default",
            "metadata: {name: redis-primary}\nspec: {clusterIP: 10.0.0.11, ports: [{port: 6379,"
                + " protocol: TCP}]}");
    String spec =
        "restartPolicy: Never, hostname: busybox-1, subdomain: default-subdomain, hostAliases: [{ip:"
            + " 10.1.2.3, hostnames: [foo.local, bar.local]}], containers: [{name: c, image: '"
            + BUSYBOX
            + "', command: [sh, -c, 'tr \"\\0\" \"\\n\" < /proc/1/environ; cat"
            + " /etc/resolv.conf; hostname; hostname -f; cat /etc/hosts']}]";
    lab.pod("finds", spec);
    await().atMost(PATIENCE).until(() -> lab.cluster().phase("finds").equals("Succeeded"));
    List<String> said = lab.said("finds", 0);
    assertThat(said.stream().filter(line -> line.startsWith("REDIS_PRIMARY_")))
        .containsExactly(
            "REDIS_PRIMARY_SERVICE_HOST=10.0.0.11",
            "REDIS_PRIMARY_SERVICE_PORT=6379",
            "REDIS_PRIMARY_PORT=tcp://10.0.0.11:6379",
            "REDIS_PRIMARY_PORT_6379_TCP=tcp://10.0.0.11:6379",
            "REDIS_PRIMARY_PORT_6379_TCP_PROTO=tcp",
            "REDIS_PRIMARY_PORT_6379_TCP_PORT=6379",
            "REDIS_PRIMARY_PORT_6379_TCP_ADDR=10.0.0.11");
    assertThat(said)
        .contains("KUBERNETES_SERVICE_HOST=10.96.0.1", "nameserver 10.96.0.10", "options ndots:5")
        .contains("busybox-1", "busybox-1.default-subdomain.default.svc.cluster.local");
    assertThat(said.stream().filter(line -> line.startsWith("search ")).findFirst().orElseThrow())
        .startsWith("search default.svc.cluster.local svc.cluster.local cluster.local");
    assertThat(said).endsWith("# Entries added by HostAliases.", "10.1.2.3\tfoo.local\tbar.local");
    lab.pod("plain", spec.replace("restartPolicy", "enableServiceLinks: false, restartPolicy"));
    await().atMost(PATIENCE).until(() -> lab.cluster().phase("plain").equals("Succeeded"));
    assertThat(lab.said("plain", 0))
        .as("N37")
        .contains("KUBERNETES_SERVICE_HOST=10.96.0.1")
        .noneMatch(line -> line.startsWith("REDIS_PRIMARY_"));
    lab.cluster().delete("finds");
    lab.cluster().delete("plain");
  }

  @Test
  void n36ALaterServiceIsSeenByTheNextRun() throws IOException {
    lab.pod("asks", runs("echo later=$LATER_SERVICE_HOST"));
    await()
        .atMost(PATIENCE)
        .untilAsserted(() -> assertThat(lab.said("asks", 0)).containsExactly("later="));
    lab.cluster().awaitReady("asks");
    lab.cluster()
        .create(
            ResourceType.SERVICES,
            "default",
            "metadata: {name: later}\nspec: {clusterIP: 10.96.0.77, ports: [{port: 80}]}");
    String id =
        Json.textOr(lab.cluster().status("asks"), "", "containerID").replace("containerd://", "");
    assertThat(lab.ctr("tasks", "kill", "-s", "SIGKILL", id).exit()).isZero();
    await()
        .atMost(PATIENCE)
        .untilAsserted(() -> assertThat(lab.said("asks", 1)).containsExactly("later=10.96.0.77"));
    assertThat(lab.said("asks", 0)).containsExactly("later=");
    lab.cluster().delete("asks");
  }

  @Test
  void aPrivilegedContainerRunsKnowsItsNameAndHasMemoryForFiles() throws IOException {
    lab.pod(
        "special",
        "restartPolicy: Never, volumes: [{name: m, emptyDir: {medium: Memory}}], containers:"
            + " [{name: c, image: '"
            + BUSYBOX
            + "', securityContext: {privileged: true}, volumeMounts: [{name: m, mountPath:"
            + " /memory}], command: [sh, -c, 'echo $HOSTNAME; stat -f -c %T /memory; test -e"
            + " /dev/kmsg && printf all']}]");
    await().atMost(PATIENCE).until(() -> lab.cluster().phase("special").equals("Succeeded"));
    assertThat(lab.said("special", 0)).containsExactly("special", "tmpfs", "all");
    lab.cluster().delete("special");
  }

  @Test
  void n60AProgramThatIsNotThereHasFailed() {
    lab.pod(
        "lost",
        "restartPolicy: Never, containers: [{name: c, image: '"
            + BUSYBOX
            + "', command: [/no/such]}]");
    await().atMost(PATIENCE).until(() -> lab.cluster().phase("lost").equals("Failed"));
    JsonNode end = Json.at(lab.cluster().status("lost"), "state", "terminated");
    assertThat(Json.textOr(end, "", "reason")).isEqualTo("StartError");
    assertThat(end.path("exitCode").asInt()).isEqualTo(128);
    assertThat(Json.textOr(end, "", "message")).contains("/no/such");
    lab.cluster().delete("lost");
  }

  @Test
  void n55AnEmptyDirectoryOutlivesARunAndGoesWithThePod() {
    String mounted = "\"], volumeMounts: [{name: e, mountPath: /scratch}]}";
    lab.pod(
        "keeps",
        "volumes: [{name: e, emptyDir: {}}], "
            + runs("[ -e /scratch/x ] || { touch /scratch/x; exit 1; }; echo kept")
                .replace("\"]}]", mounted + ", ")
            + runs("touch /scratch/y")
                .replace("containers: [{name: c", "{name: d")
                .replace("\"]}]", mounted + "]"));
    await()
        .atMost(PATIENCE)
        .untilAsserted(() -> assertThat(lab.said("keeps", 1)).containsExactly("kept"));
    Path volume =
        directory.resolve(
            "agent/pods/"
                + Json.textOr(lab.cluster().pod("keeps"), "", "metadata", "uid")
                + "/volumes/kubernetes.io~empty-dir/e");
    await().atMost(PATIENCE).until(() -> Files.exists(volume.resolve("y")));
    lab.cluster().delete("keeps");
    await().atMost(PATIENCE).until(() -> !Files.exists(volume));
  }
}
