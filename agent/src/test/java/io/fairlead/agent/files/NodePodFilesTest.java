package io.fairlead.agent.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fairlead.agent.discovery.Lookups;
import io.fairlead.agent.discovery.ResolvConf;
import io.fairlead.agent.discovery.ServiceFacts;
import io.fairlead.agent.lifecycle.Reports;
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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.node.ObjectNode;

/// What pods get from their node: variables when Services are known, volumes when they change.
class NodePodFilesTest {
  private static final ServiceFacts KUBERNETES =
      ServiceFacts.of(
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
        new NodeSettings(
            "node-a",
            directory,
            List.of("192.0.2.1"),
            "cluster.local",
            List.of("10.96.0.10"),
            ResolvConf.parse(""),
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

  private final class Known implements KnownServices {
    @Override
    public boolean complete() {
      return complete;
    }

    @Override
    public Collection<ServiceFacts> all() {
      return complete ? List.of(KUBERNETES) : List.of();
    }

    @Override
    public Collection<ServiceFacts> since(String resourceVersion, String namespace) {
      return all();
    }
  }

  private final class Stored implements Lookups {
    @Override
    public Optional<Map<String, byte[]>> configMap(String namespace, String name) {
      return Optional.ofNullable(maps.get(name))
          .map(colour -> Map.of("colour", colour.getBytes(StandardCharsets.UTF_8)));
    }

    @Override
    public Optional<Map<String, byte[]>> secret(String namespace, String name) {
      return Optional.empty();
    }
  }

  private final class Followed implements Sources {
    @Override
    public void follow(Pod pod) {
      followed.add("follow " + pod.name());
    }

    @Override
    public void forget(Pod pod) {
      followed.add("forget " + pod.name());
    }
  }

  private static final class Silent implements Reports {
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
