package io.fairlead.app.command.whatif;

import io.fairlead.api.json.DecodeException;
import io.fairlead.api.json.Json;
import io.fairlead.api.yaml.Yaml;
import io.fairlead.app.cli.Arguments;
import io.fairlead.app.cli.ErrorCode;
import io.fairlead.app.cli.FairleadException;
import io.fairlead.app.command.explain.ExplainTarget;
import io.fairlead.client.ObjectKey;
import io.fairlead.client.ResourceType;
import io.fairlead.insight.simulate.ProposedChange;
import io.fairlead.proxy.core.ProxyMode;
import io.fairlead.server.ObjectDefaults;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import tools.jackson.databind.node.ObjectNode;

/// The changes that the flags of `simulate` mean. They are made in this order: files, labels,
/// replicas, pods, nodes, mode.
///
/// @param namespace of what is named without one
record ChangeReader(Arguments arguments, String namespace) {
  private static final Map<String, String> WORKLOADS =
      Map.of(
          "deploy", "Deployment",
          "deployment", "Deployment",
          "deployments", "Deployment",
          "rs", "ReplicaSet",
          "replicaset", "ReplicaSet",
          "replicasets", "ReplicaSet",
          "sts", "StatefulSet",
          "statefulset", "StatefulSet",
          "statefulsets", "StatefulSet");

  /// Kinds that have no namespace.
  private static final Set<String> GLOBAL =
      Set.of(ResourceType.NODES.kind(), ResourceType.NAMESPACES.kind());

  List<ProposedChange> read() {
    List<ProposedChange> changes = new ArrayList<>();
    for (String file : arguments.repeated("filename")) {
      file(Path.of(file)).forEach(object -> changes.add(new ProposedChange.Applied(object)));
    }
    for (String text : arguments.repeated("label")) {
      changes.add(label(text));
    }
    for (String text : arguments.repeated("scale")) {
      changes.add(scale(text));
    }
    for (String text : arguments.repeated("kill")) {
      changes.add(new ProposedChange.Killed(named("--kill", text, ExplainTarget.Kind.POD)));
    }
    for (String text : arguments.repeated("not-ready")) {
      changes.add(new ProposedChange.NotReady(named("--not-ready", text, ExplainTarget.Kind.POD)));
    }
    for (String text : arguments.repeated("down")) {
      changes.add(
          new ProposedChange.NodeDown(named("--down", text, ExplainTarget.Kind.NODE).name()));
    }
    arguments
        .find("mode")
        .ifPresent(mode -> changes.add(new ProposedChange.ModeChanged(ProxyMode.of(mode))));
    if (changes.isEmpty()) {
      throw new FairleadException(
          ErrorCode.FL308,
          arguments.verb().name(),
          "-f, --scale, --kill, --not-ready, --label, --down, --mode");
    }
    return changes;
  }

  private ObjectKey named(String flag, String text, ExplainTarget.Kind kind) {
    String prefix = kind == ExplainTarget.Kind.POD ? "pod/" : "node/";
    return ExplainTarget.parse(text.contains("/") ? text : prefix + text, namespace)
        .filter(target -> target.kind() == kind)
        .map(ExplainTarget::key)
        .orElseThrow(() -> new FairleadException(ErrorCode.FL303, flag, text, prefix + "NAME"));
  }

  private ProposedChange label(String text) {
    int first = text.indexOf('=');
    int second = text.indexOf('=', first + 1);
    if (first < 1 || second < 0) {
      throw new FairleadException(ErrorCode.FL303, "--label", text, "pod/NAME=KEY=VALUE");
    }
    return new ProposedChange.Labelled(
        named("--label", text.substring(0, first), ExplainTarget.Kind.POD),
        text.substring(first + 1, second),
        text.substring(second + 1));
  }

  private ProposedChange scale(String text) {
    int slash = text.indexOf('/');
    int equals = text.indexOf('=');
    String kind = slash < 0 ? null : WORKLOADS.get(text.substring(0, slash));
    String number = text.substring(equals + 1);
    if (kind == null || equals < slash || !number.matches("[0-9]{1,4}")) {
      throw new FairleadException(ErrorCode.FL303, "--scale", text, "deploy/NAME=N, sts/NAME=N");
    }
    return new ProposedChange.Scaled(
        kind,
        new ObjectKey(namespace, text.substring(slash + 1, equals)),
        Integer.parseInt(number));
  }

  /// The objects of a file with their defaults.
  private List<ObjectNode> file(Path file) {
    List<ObjectNode> objects;
    try {
      objects = Yaml.objects(Files.readString(file));
    } catch (IOException e) {
      throw new FairleadException(ErrorCode.FL304, e, "--filename", file.toString());
    } catch (DecodeException e) {
      throw new FairleadException(
          ErrorCode.FL303, e, "--filename", file.toString(), String.valueOf(e.getMessage()));
    }
    if (objects.isEmpty()) {
      throw new FairleadException(
          ErrorCode.FL303, "--filename", file.toString(), "objects with a kind");
    }
    objects.forEach(this::complete);
    return objects;
  }

  private void complete(ObjectNode object) {
    ObjectNode metadata = Json.child(object, "metadata");
    if (Json.textOr(metadata, "", "namespace").isEmpty()
        && !GLOBAL.contains(Json.textOr(object, "", "kind"))) {
      metadata.put("namespace", namespace);
    }
    ObjectDefaults.apply(object);
  }
}
