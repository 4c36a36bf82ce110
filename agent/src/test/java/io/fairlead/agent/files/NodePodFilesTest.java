package io.fairlead.agent.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fairlead.agent.discovery.ConfigDataReader;
import io.fairlead.agent.discovery.ResolvConfFile;
import io.fairlead.agent.discovery.ServiceView;
import io.fairlead.agent.lifecycle.PodReporter;
import io.fairlead.agent.pod.Pod;
import io.fairlead.agent.runtime.ContainerConfig;
import io.fairlead.agent.runtime.RuntimeFailure;
import io.fairlead.api.yaml.Yaml;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.node.ObjectNode;

/// What pods get from their node: variables when Services are known, volumes when they change.
class NodePodFilesTest {
  private static final ServiceView KUBERNETES =
      ServiceView.of(
          object(
              "metadata: {name: kubernetes, namespace: default}\n"
                  + "spec: {clusterIP: 10.96.0.1, ports: [{port: 443}]}"));

  @TempDir Path directory;
  private final List<String> followed = new ArrayList<>();
  private final Map<String, String> maps = new TreeMap<>(Map.of("settings", "blue"));
  private boolean complete;

  private static ObjectNode object(String yaml) {
    return (ObjectNode) Yaml.parse(yaml);
  }

  private static Pod pod(String metadata) {
    return Pod.of(
        object(
            "metadata: {name: p, namespace: default, uid: u1"
                + metadata
                + "}\nspec: {volumes: [{name: v, configMap: {name: settings}}], containers:"
                + " [{name: c, image: i}]}"));
  }

  private NodePodFiles files() {
    return new NodePodFiles(
        new NodePodFilesOptions(
            "node-a",
            directory,
            List.of("192.0.2.1"),
            "cluster.local",
            List.of("10.96.0.10"),
            ResolvConfFile.parse(""),
            "",
            Map.of()),
        new Known(),
        new Stored(),
        (_, _, _) -> "token",
        new Followed(),
        new Silent(),
        () -> Instant.EPOCH);
  }

  private static Map<String, String> variables(ContainerConfig config) {
    Map<String, String> variables = new TreeMap<>();
    config.environment().forEach(one -> variables.put(one.getKey(), one.getValue()));
    return variables;
  }

  @Test
  void n41NoContainerIsMadeBeforeServicesAreKnown() {
    NodePodFiles files = files();
    Pod pod = pod("");
    files.prepare(pod);
    assertThatThrownBy(() -> files.container(pod, pod.containers().getFirst(), 0, List.of()))
        .isInstanceOfSatisfying(
            RuntimeFailure.class,
            e -> assertThat(e.reason()).isEqualTo("CreateContainerConfigError"))
        .hasMessageContaining("services have not yet been read");
    complete = true;
    assertThat(variables(files.container(pod, pod.containers().getFirst(), 0, List.of())))
        .containsEntry("KUBERNETES_SERVICE_HOST", "10.96.0.1");
  }

  @Test
  void theServiceVariablesOfAContainerAreRecordedAndNoOthers() {
    complete = true;
    NodePodFiles files = files();
    Pod pod =
        Pod.of(
            object(
                "metadata: {name: p, namespace: default, uid: u1}\nspec: {containers: [{name: c,"
                    + " image: i, env: [{name: PASSWORD, value: hidden}, {name:"
                    + " KUBERNETES_SERVICE_PORT, value: '1'}]}]}"));
    files.prepare(pod);
    files.container(pod, pod.containers().getFirst(), 0, List.of());
    String recorded = GivenVariables.read(directory.resolve("pods/u1")).toString();
    assertThat(recorded)
        .contains("{\"name\":\"KUBERNETES_SERVICE_HOST\",\"value\":\"10.96.0.1\"}")
        .doesNotContain("hidden", "KUBERNETES_SERVICE_PORT\"");
    files.remove(pod);
    assertThat(GivenVariables.read(directory.resolve("pods/u1"))).isEmpty();
  }

  @Test
  void n41APodFromAFileDoesNotWait() {
    NodePodFiles files = files();
    Pod pod = pod(", annotations: {kubernetes.io/config.source: file}");
    files.prepare(pod);
    assertThat(variables(files.container(pod, pod.containers().getFirst(), 0, List.of())))
        .doesNotContainKey("KUBERNETES_SERVICE_HOST");
  }

  @Test
  void n56WhatChangedIsWrittenByTheNextLook() throws IOException {
    NodePodFiles files = files();
    Path file = directory.resolve("pods/u1/volumes/kubernetes.io~configmap/v/colour");
    files.prepare(pod(""));
    assertThat(followed).containsExactly("follow p");
    assertThat(Files.readString(file)).isEqualTo("blue");
    maps.put("settings", "red");
    files.prepare(pod(""));
    assertThat(Files.readString(file)).as("nobody said that it changed").isEqualTo("blue");
    files.stale("u1");
    files.prepare(pod(""));
    assertThat(Files.readString(file)).isEqualTo("red");
    files.remove(pod(""));
    assertThat(followed).endsWith("forget p");
    assertThat(file).doesNotExist();
  }

  /// The runtime mounts it a while after the node has looked for it.
  @ParameterizedTest(name = "subPath {0}")
  @ValueSource(strings = {"colour", "deep/colour", "deep"})
  void n56APartOfAVolumeStaysForWhoIsAboutToMountIt(String part) throws IOException {
    NodePodFiles files = files();
    complete = true;
    Pod pod =
        Pod.of(
            object(
                "metadata: {name: p, namespace: default, uid: u1}\nspec: {volumes: [{name: v,"
                    + " projected: {sources: [{configMap: {name: settings}}, {configMap: {name:"
                    + " settings, items: [{key: colour, path: deep/colour, mode: 384}]}}]}}],"
                    + " containers: [{name: c, image: i, volumeMounts: [{name: v, mountPath:"
                    + " /once, subPath: "
                    + part
                    + "}]}]}"));
    files.prepare(pod);
    Path source =
        files
            .container(pod, pod.containers().getFirst(), 0, List.of())
            .mounts()
            .getFirst()
            .source();
    for (String colour : List.of("red", "green")) {
      maps.put("settings", colour);
      files.stale("u1");
      files.prepare(pod);
    }
    Path file = part.equals("deep") ? source.resolve("colour") : source;
    assertThat(file).hasContent("blue");
    assertThat(Files.getPosixFilePermissions(file))
        .isEqualTo(
            PosixFilePermissions.fromString(part.equals("colour") ? "rw-r--r--" : "rw-------"));

    Path next =
        files
            .container(pod, pod.containers().getFirst(), 1, List.of())
            .mounts()
            .getFirst()
            .source();
    assertThat(part.equals("deep") ? next.resolve("colour") : next)
        .as("the next run sees what is there then")
        .hasContent("green");
    files.remove(pod);
    assertThat(source).doesNotExist();
  }

  @Test
  void n57AMissingSourceIsLookedForAgain() throws IOException {
    NodePodFiles files = files();
    maps.clear();
    assertThatThrownBy(() -> files.prepare(pod("")))
        .hasMessageContaining("configmap \"settings\" not found");
    maps.put("settings", "green");
    files.prepare(pod(""));
    assertThat(
            Files.readString(directory.resolve("pods/u1/volumes/kubernetes.io~configmap/v/colour")))
        .isEqualTo("green");
  }

  private record BadVolume(String name, String yaml, String why) {
    @Override
    public String toString() {
      return name;
    }
  }

  static Stream<BadVolume> badVolumes() {
    String leadsOut = "of a file leads out of the volume";
    return Stream.of(
        new BadVolume(
            "item of a ConfigMap",
            "name: v, configMap: {name: settings, items: [{key: colour, path: ../../out}]}",
            "\"../../out\" " + leadsOut),
        new BadVolume(
            "item in the middle of a path",
            "name: v, configMap: {name: settings, items: [{key: colour, path: a/../../out}]}",
            "\"a/../../out\" " + leadsOut),
        new BadVolume(
            "item with an absolute path",
            "name: v, configMap: {name: settings, items: [{key: colour, path: /out}]}",
            "\"/out\" " + leadsOut),
        new BadVolume(
            "item that is the volume itself",
            "name: v, configMap: {name: settings, items: [{key: colour, path: .}]}",
            "\".\" " + leadsOut),
        new BadVolume(
            "item of a Secret",
            "name: v, secret: {secretName: settings, items: [{key: colour, path: ../out}]}",
            "\"../out\" " + leadsOut),
        new BadVolume(
            "projected item",
            "name: v, projected: {sources: [{configMap: {name: settings, items: [{key: colour,"
                + " path: ../out}]}}]}",
            "\"../out\" " + leadsOut),
        new BadVolume(
            "projected token",
            "name: v, projected: {sources: [{serviceAccountToken: {path: ../out}}]}",
            "\"../out\" " + leadsOut),
        new BadVolume(
            "field of the pod",
            "name: v, downwardAPI: {items: [{path: ../out, fieldRef: {fieldPath:"
                + " metadata.name}}]}",
            "\"../out\" " + leadsOut),
        new BadVolume(
            "path that no file system takes",
            "name: v, configMap: {name: settings, items: [{key: colour, path: \"a\\0b\"}]}",
            "of a file is not valid"),
        new BadVolume(
            "directory where a file is",
            "name: v, configMap: {name: settings, items: [{key: colour, path: a}, {key: colour,"
                + " path: a/b}]}",
            ""),
        new BadVolume("name that leads out", "name: ../../out, emptyDir: {}", "is not valid"),
        new BadVolume(
            "host path with a zero", "name: v, hostPath: {path: \"/a\\0\"}", "not valid"));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("badVolumes")
  void aPathThatLeadsOutIsAFailureOfTheVolume(BadVolume bad) throws IOException {
    NodePodFiles files = files();
    Pod pod =
        Pod.of(
            object(
                "metadata: {name: p, namespace: default, uid: u1}\nspec: {volumes: [{"
                    + bad.yaml()
                    + "}], containers: [{name: c, image: i}]}"));
    for (int attempt = 0; attempt < 2; attempt++) {
      assertThatThrownBy(() -> files.prepare(pod))
          .isInstanceOf(RuntimeFailure.class)
          .hasMessageStartingWith("MountVolume.SetUp failed for volume")
          .hasMessageContaining(bad.why());
    }
    try (Stream<Path> left = Files.walk(directory)) {
      assertThat(left.filter(Files::isRegularFile)).as("what attempts leave behind").isEmpty();
    }
    files.prepare(pod(""));
    assertThat(directory.resolve("pods/u1/volumes/kubernetes.io~configmap/v/colour")).exists();
  }

  private final class Known implements ServiceLister {
    @Override
    public boolean complete() {
      return complete;
    }

    @Override
    public Collection<ServiceView> all() {
      return complete ? List.of(KUBERNETES) : List.of();
    }

    @Override
    public Collection<ServiceView> since(String resourceVersion, String namespace) {
      return all();
    }
  }

  private final class Stored implements ConfigDataReader {
    @Override
    public Optional<Map<String, byte[]>> configMap(String namespace, String name) {
      return Optional.ofNullable(maps.get(name))
          .map(colour -> Map.of("colour", colour.getBytes(StandardCharsets.UTF_8)));
    }

    @Override
    public Optional<Map<String, byte[]>> secret(String namespace, String name) {
      return configMap(namespace, name);
    }
  }

  private final class Followed implements VolumeSourceWatcher {
    @Override
    public void follow(Pod pod) {
      followed.add("follow " + pod.name());
    }

    @Override
    public void forget(Pod pod) {
      followed.add("forget " + pod.name());
    }
  }

  private static final class Silent implements PodReporter {
    @Override
    public void hurry(Pod pod) {}

    @Override
    public Optional<String> acceptedVersion(Pod pod, List<String> addresses) {
      return Optional.empty();
    }

    @Override
    public void event(Pod pod, boolean warning, String reason, String message) {}

    @Override
    public void status(Pod pod, ObjectNode status) {}

    @Override
    public boolean settled(Pod pod) {
      return true;
    }

    @Override
    public void remove(Pod pod) {}
  }
}
