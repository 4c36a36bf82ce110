package io.fairlead.agent.pod;

import io.fairlead.api.json.Json;
import io.fairlead.client.HasMetadata;
import io.fairlead.client.ObjectKey;
import io.fairlead.client.ObjectMeta;
import io.fairlead.client.ObjectRef;
import io.fairlead.client.ResourceType;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// A pod bound to this node. Immutable; the body is shared and never changed.
///
/// It keeps the whole object as a tree and not as a [io.fairlead.client.objects.V1Pod]: the agent
/// runs the pod, so it reads nearly every field of the spec, resolves references to fields by their
/// path, and compares the status it would write with the one that is there. A node has some hundred
/// pods, not tens of thousands.
///
/// @param grace how long its containers get to end by themselves
/// @param deletionGrace the same as its deletion says; empty while it is not being deleted
/// @param ephemeralContainers added while it runs, for looking into it; they run once
public record Pod(
    ObjectMeta metadata,
    RestartPolicy restartPolicy,
    boolean hostNetwork,
    Duration grace,
    Optional<Duration> deletionGrace,
    List<String> readinessGates,
    List<Container> initContainers,
    List<Container> containers,
    List<Container> ephemeralContainers,
    ObjectNode body)
    implements HasMetadata {
  /// Asks for an end that waits for the proxies.
  public static final String DRAIN = "fairlead.dev/drain";

  // Of pods that come from a file.
  public static final String CONFIG_HASH = "kubernetes.io/config.hash";
  public static final String CONFIG_SEEN = "kubernetes.io/config.seen";
  public static final String CONFIG_SOURCE = "kubernetes.io/config.source";
  public static final String CONFIG_MIRROR = "kubernetes.io/config.mirror";

  /// The label of pods that only show a component of the process the agent runs in; its value names
  /// the component.
  public static final String COMPONENT = "fairlead.dev/component";

  public Pod {
    readinessGates = List.copyOf(readinessGates);
    initContainers = List.copyOf(initContainers);
    containers = List.copyOf(containers);
    ephemeralContainers = List.copyOf(ephemeralContainers);
  }

  public static Pod of(ObjectNode body) {
    JsonNode spec = body.path("spec");
    JsonNode metadata = body.path("metadata");
    List<String> gates = new ArrayList<>();
    spec.path("readinessGates").forEach(gate -> gates.add(Json.textOr(gate, "", "conditionType")));
    Duration grace = Duration.ofSeconds(spec.path("terminationGracePeriodSeconds").asLong(30));
    return new Pod(
        ObjectMeta.of(body),
        RestartPolicy.of(Json.textOr(spec, "Always", "restartPolicy")),
        spec.path("hostNetwork").asBoolean(false),
        grace,
        metadata.has("deletionTimestamp")
            ? Optional.of(
                Duration.ofSeconds(
                    metadata.path("deletionGracePeriodSeconds").asLong(grace.toSeconds())))
            : Optional.empty(),
        gates,
        containers(spec.path("initContainers")),
        containers(spec.path("containers")),
        containers(spec.path("ephemeralContainers")),
        body);
  }

  private static List<Container> containers(JsonNode list) {
    List<Container> containers = new ArrayList<>();
    for (JsonNode container : list) {
      if (container instanceof ObjectNode object) {
        containers.add(Container.of(object));
      }
    }
    return containers;
  }

  static List<String> texts(JsonNode list) {
    List<String> texts = new ArrayList<>();
    list.forEach(text -> texts.add(text.asString("")));
    return texts;
  }

  public ObjectKey key() {
    return metadata.key();
  }

  public String uid() {
    return metadata.uid();
  }

  public String namespace() {
    return metadata.namespace();
  }

  public String name() {
    return metadata.name();
  }

  /// For events about it.
  public ObjectRef reference() {
    return new ObjectRef(ResourceType.PODS, key(), uid());
  }

  public JsonNode spec() {
    return body.path("spec");
  }

  /// The status as the API shows it.
  public JsonNode status() {
    return body.path("status");
  }

  public JsonNode annotations() {
    return body.path("metadata").path("annotations");
  }

  public String annotation(String name) {
    return Json.textOr(body, "", "metadata", "annotations", name);
  }

  /// Whether it only shows a pod that comes from a file.
  public boolean isMirror() {
    return !mirrorOf().isEmpty();
  }

  /// The uid of the static pod it shows; empty when it is a pod of its own.
  public String mirrorOf() {
    return annotation(CONFIG_MIRROR);
  }

  /// The component of this process that it shows, which runs without the agent; empty for every
  /// other pod.
  public String component() {
    return isMirror() ? metadata.labels().getOrDefault(COMPONENT, "") : "";
  }

  /// Whether it comes from a file of the node.
  public boolean isStatic() {
    return annotation(CONFIG_SOURCE).equals("file") && !isMirror();
  }

  public boolean beingDeleted() {
    return deletionGrace.isPresent();
  }

  /// Init containers and regular ones.
  public Stream<Container> allContainers() {
    return Stream.concat(initContainers.stream(), containers.stream());
  }

  /// Init containers, regular ones and those that were added while it runs.
  public Stream<Container> everyContainer() {
    return Stream.concat(allContainers(), ephemeralContainers.stream());
  }

  /// Counts changes of the spec; 0 where the API does not.
  public long generation() {
    return body.path("metadata").path("generation").asLong(0);
  }

  /// How long it may be active on a node; empty for ever.
  public Optional<Duration> activeDeadline() {
    JsonNode seconds = spec().path("activeDeadlineSeconds");
    return seconds.isNumber()
        ? Optional.of(Duration.ofSeconds(seconds.asLong(0)))
        : Optional.empty();
  }

  /// Init containers that go on running, in the order they start.
  public List<Container> sidecars() {
    return initContainers.stream().filter(Container::sidecar).toList();
  }
}
