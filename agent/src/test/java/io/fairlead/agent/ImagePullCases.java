package io.fairlead.agent;

import static io.fairlead.agent.MemoryCluster.PATIENCE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import io.fairlead.agent.cri.TestImageRegistry;
import io.fairlead.agent.testing.DebianImages;
import io.fairlead.kernel.syscall.NetworkNamespace;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.function.Executable;

/// When images are fetched and what is said when they cannot be: pods against a registry on the
/// node's loopback.
///
/// @param engine the directory of the node's containerd
record ImagePullCases(MemoryCluster cluster, NetworkNamespace node, Path engine) {
  private static final String TRAP = "trap 'exit 0' TERM; while :; do sleep 0.1; done";

  /// Each gets a registry of its own.
  private interface Row {
    void run(TestImageRegistry registry) throws Exception;
  }

  Stream<DynamicTest> rows() {
    return Stream.of(
        row("N58 absent, policy Never", this::never),
        row("N58 a name that is none", this::invalid),
        row("N58 absent from the registry, there later", this::later),
        row("N59 present, policy IfNotPresent: the registry is not asked", this::present),
        row("N59 present, policy Always: one HEAD, no blob", this::always),
        row("N59 present, policy Always, no registry: refused", this::unreachable),
        row("N59 a registry for some: with a secret, and without", this::secret));
  }

  private DynamicTest row(String name, Row row) {
    Executable test =
        () -> {
          try (TestImageRegistry registry = new TestImageRegistry(node)) {
            registry.serveAll(engine);
            row.run(registry);
          }
        };
    return dynamicTest(name, test);
  }

  private void pod(String name, String image, String policy, String more) {
    cluster.pod(
        "node-a",
        name,
        more
            + "terminationGracePeriodSeconds: 2, containers: [{name: c, image: '"
            + image
            + "', imagePullPolicy: "
            + policy
            + ", command: [sh, -c, \""
            + TRAP
            + "\"]}]");
  }

  private String waits(String name, String field) {
    return cluster.says(name, "state", "waiting", field);
  }

  private void awaitReason(String name, String reason) {
    await()
        .atMost(PATIENCE)
        .untilAsserted(() -> assertThat(waits(name, "reason")).isEqualTo(reason));
  }

  private void never(TestImageRegistry registry) {
    pod("never", "fairlead.test/absent:1", "Never", "");
    awaitReason("never", "ErrImageNeverPull");
    assertThat(waits("never", "message"))
        .isEqualTo(
            "Container image \"fairlead.test/absent:1\" is not present with pull policy of Never");
    assertThat(registry.asked()).isEmpty();
    cluster.delete("never");
  }

  private void invalid(TestImageRegistry registry) {
    pod("bad", "Not A Name", "IfNotPresent", "");
    awaitReason("bad", "InvalidImageName");
    assertThat(registry.asked()).isEmpty();
    cluster.delete("bad");
  }

  private void later(TestImageRegistry registry) {
    pod("late", "registry.test/late/busybox:1", "IfNotPresent", "");
    awaitReason("late", "ImagePullBackOff");
    assertThat(waits("late", "message"))
        .startsWith("Back-off pulling image \"registry.test/late/busybox:1\": ErrImagePull:")
        .contains("not found");
    String uid = cluster.pod("late").path("metadata").path("uid").asString("");
    registry.put("late/busybox:1", DebianImages.busybox());
    cluster.awaitReady("late");
    assertThat(cluster.pod("late").path("metadata").path("uid").asString("")).isEqualTo(uid);
    cluster.delete("late");
  }

  private void present(TestImageRegistry registry) {
    pod("present", "registry.test/late/busybox:1", "IfNotPresent", "");
    cluster.awaitReady("present");
    assertThat(registry.asked()).isEmpty();
    cluster.delete("present");
  }

  private void always(TestImageRegistry registry) {
    registry.put("late/busybox:1", DebianImages.busybox());
    pod("always", "registry.test/late/busybox:1", "Always", "");
    cluster.awaitReady("always");
    assertThat(registry.asked()).containsExactly("HEAD manifest");
    cluster.delete("always");
  }

  private void unreachable(TestImageRegistry registry) {
    registry.close();
    pod("cut-off", "registry.test/late/busybox:1", "Always", "");
    awaitReason("cut-off", "ImagePullBackOff");
    assertThat(waits("cut-off", "message")).contains("ErrImagePull: ", "connection refused");
    cluster.delete("cut-off");
  }

  private void secret(TestImageRegistry registry) {
    registry.put("private/busybox:1", DebianImages.busybox());
    registry.only("me", "secret");
    String file =
        "{\"auths\": {\"registry.test\": {\"username\": \"me\", \"password\": \"secret\"}}}";
    cluster.create(
        MemoryCluster.SECRETS,
        "default",
        "metadata: {name: registry}\ntype: kubernetes.io/dockerconfigjson\ndata: {.dockerconfigjson: "
            + Base64.getEncoder().encodeToString(file.getBytes(StandardCharsets.UTF_8))
            + "}");
    pod("stranger", "registry.test/private/busybox:1", "IfNotPresent", "");
    awaitReason("stranger", "ImagePullBackOff");
    assertThat(waits("stranger", "message")).contains("ErrImagePull: ", "401 Unauthorized");
    pod(
        "friend",
        "registry.test/private/busybox:1",
        "IfNotPresent",
        "imagePullSecrets: [{name: registry}], ");
    cluster.awaitReady("friend");
    for (String name : List.of("stranger", "friend")) {
      cluster.delete(name);
    }
  }
}
