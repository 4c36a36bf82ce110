package io.fairlead.agent.manifest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fairlead.agent.pod.Pod;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// N75: what a file of a static pod may say.
class StaticPodManifestTest {
  private static final Path FILE = Path.of("/manifests/web.yaml");
  private static final Instant SEEN = Instant.parse("2026-01-01T00:00:00Z");
  private static final String HEAD = "apiVersion: v1\nkind: Pod\nmetadata: {name: web}\n";
  private static final String GOOD =
      HEAD + "spec: {containers: [{name: c, image: nginx}, {name: d, image: 'x/y:1'}]}\n";

  private static Pod read(Path file, String text, String node) throws BadManifest {
    return StaticPodManifest.read(file, text.getBytes(StandardCharsets.UTF_8), node, SEEN);
  }

  @Test
  void thePodIsNamedAfterTheNode() throws BadManifest {
    Pod pod = read(FILE, GOOD, "Node-A");
    assertThat(pod.key().toString()).isEqualTo("default/web-node-a");
    assertThat(pod.isStatic()).isTrue();
    assertThat(pod.isMirror()).isFalse();
    assertThat(pod.annotation(Pod.CONFIG_SOURCE)).isEqualTo("file");
    assertThat(pod.annotation(Pod.CONFIG_HASH)).isEqualTo(pod.uid()).hasSize(32);
    assertThat(pod.annotation(Pod.CONFIG_SEEN)).isEqualTo("2026-01-01T00:00:00Z");
    assertThat(pod.spec().path("nodeName").asString()).isEqualTo("Node-A");
    assertThat(pod.spec().path("tolerations").toString())
        .isEqualTo("[{\"operator\":\"Exists\",\"effect\":\"NoExecute\"}]");
    assertThat(pod.containers().getFirst().pullPolicy()).isEqualTo("Always");
    assertThat(pod.containers().getLast().pullPolicy()).isEqualTo("IfNotPresent");
  }

  @Test
  void theUidFollowsPlaceNodeAndContent() throws BadManifest {
    String uid = read(FILE, GOOD, "a").uid();
    assertThat(read(FILE, GOOD, "a").uid()).isEqualTo(uid);
    assertThat(read(FILE, "# a comment\n" + GOOD, "a").uid()).isEqualTo(uid);
    assertThat(read(FILE, GOOD.replace("nginx", "apache"), "a").uid()).isNotEqualTo(uid);
    assertThat(read(FILE, GOOD, "b").uid()).isNotEqualTo(uid);
    assertThat(read(Path.of("/manifests/other.yaml"), GOOD, "a").uid()).isNotEqualTo(uid);
  }

  @Test
  void jsonIsFineToo() throws BadManifest {
    Pod pod =
        read(
            FILE,
            "{\"apiVersion\":\"v1\",\"kind\":\"Pod\",\"metadata\":{\"name\":\"j\",\"namespace\":"
                + "\"ns\"},\"spec\":{\"containers\":[{\"name\":\"c\",\"image\":\"i\"}]}}",
            "a");
    assertThat(pod.key().toString()).isEqualTo("ns/j-a");
  }

  record Row(String name, String text, String why) {
    @Override
    public String toString() {
      return name;
    }
  }

  private static String pod(String spec) {
    return HEAD + "spec: {" + spec + "}\n";
  }

  static Stream<Row> bad() {
    String containers = "containers: [{name: c, image: i}]";
    return Stream.of(
        new Row("not YAML", "{", "neither YAML nor JSON"),
        new Row("empty", "", "not an object"),
        new Row("a list", "[1]", "not an object"),
        new Row("a Deployment", "apiVersion: apps/v1\nkind: Deployment", "apps/v1 Deployment"),
        new Row("no kind", "metadata: {name: x}", "not v1 Pod"),
        new Row("no name", "apiVersion: v1\nkind: Pod\n", "metadata.name \"\""),
        new Row(
            "bad name",
            HEAD.replace("name: web", "name: Web_1") + "spec: {" + containers + "}",
            "metadata.name \"Web_1\""),
        new Row("no containers", HEAD, "spec.containers is empty"),
        new Row("no image", pod("containers: [{name: c}]"), "a name and an image"),
        new Row("account", pod("serviceAccountName: x, " + containers), "serviceAccountName"),
        new Row(
            "secret volume",
            pod(containers + ", volumes: [{name: v, secret: {secretName: s}}]"),
            "cannot use its objects: secret"),
        new Row(
            "config map in the environment",
            pod("containers: [{name: c, image: i, envFrom: [{configMapRef: {name: m}}]}]"),
            "cannot use its objects: configMapRef"));
  }

  @ParameterizedTest
  @MethodSource("bad")
  void refused(Row row) {
    assertThatThrownBy(() -> read(FILE, row.text(), "a"))
        .isInstanceOf(BadManifest.class)
        .hasMessageContaining(row.why());
  }
}
