package io.fairlead.insight.testing;

import io.fairlead.api.json.Json;
import io.fairlead.api.yaml.Yaml;
import io.fairlead.client.ListOptions;
import io.fairlead.client.ObjectKey;
import io.fairlead.client.ResourceType;
import io.fairlead.insight.evidence.Evidence;
import io.fairlead.insight.evidence.NameAnswer;
import io.fairlead.insight.evidence.ReachReport.Attempt;
import io.fairlead.insight.evidence.ReachReport.Outcome;
import io.fairlead.insight.evidence.RulesReport;
import io.fairlead.insight.evidence.Seen;
import io.fairlead.insight.evidence.ServiceFacts;
import io.fairlead.insight.evidence.Source;
import io.fairlead.insight.evidence.Unseen;
import io.fairlead.insight.evidence.Why;
import io.fairlead.insight.gather.Sources;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/// A cluster of prepared answers: objects, documents of nodes, what DNS says and who answers. It is
/// filled before it is asked.
public final class FakeSources implements Sources {
  private final Instant now;
  private final Map<String, List<ObjectNode>> objects = new HashMap<>();
  private final Map<String, ObjectNode> documents = new HashMap<>();
  private final Set<String> forbidden = new HashSet<>();
  private final Map<String, Outcome> connections = new HashMap<>();
  private final Map<String, NameAnswer> names = new HashMap<>();
  private @Nullable String here;

  public FakeSources(Instant now) {
    this.now = now;
  }

  /// Adds the objects of a YAML text, or puts them in the place of those with the same names.
  public FakeSources with(String yaml) {
    for (String document : yaml.split("(?m)^---$")) {
      if (Yaml.parse(document) instanceof ObjectNode object) {
        without(Json.textOr(object, "", "kind"), ObjectKey.of(object));
        objects
            .computeIfAbsent(Json.textOr(object, "", "kind"), _ -> new ArrayList<>())
            .add(object);
      }
    }
    return this;
  }

  /// Takes an object away.
  public FakeSources without(String kind, ObjectKey key) {
    objects
        .computeIfAbsent(kind, _ -> new ArrayList<>())
        .removeIf(each -> ObjectKey.of(each).equals(key));
    return this;
  }

  /// One object, to change it.
  public ObjectNode object(String kind, String name) {
    return objects.getOrDefault(kind, List.of()).stream()
        .filter(each -> ObjectKey.of(each).name().equals(name))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("no " + kind + " " + name));
  }

  /// All objects of a kind, to change them.
  public List<ObjectNode> all(String kind) {
    return objects.computeIfAbsent(kind, _ -> new ArrayList<>());
  }

  /// What a node answers to questions that begin so.
  public FakeSources document(String node, String question, String yaml) {
    documents.put(node + " " + question, (ObjectNode) Yaml.parse(yaml));
    return this;
  }

  /// A node answers questions that begin so no more.
  public FakeSources silence(String node, String question) {
    documents.remove(node + " " + question);
    return this;
  }

  /// The user may not list or get these.
  public FakeSources forbid(String plural) {
    forbidden.add(plural);
    return this;
  }

  /// This machine is that node; null for none.
  public FakeSources here(@Nullable String node) {
    here = node;
    return this;
  }

  /// What comes of connections to an address; without a word nothing is reachable.
  public FakeSources connects(String place, Outcome outcome) {
    connections.put(place, outcome);
    return this;
  }

  /// What the DNS server says about a name.
  public FakeSources names(String name, String rcode, List<String> addresses, String... aliases) {
    names.put(name, new NameAnswer("10.0.0.10", name, rcode, addresses, List.of(aliases), 5));
    return this;
  }

  @Override
  public Evidence<Optional<ObjectNode>> find(ResourceType type, ObjectKey key) {
    if (forbidden.contains(type.plural())) {
      return Unseen.of(new Why.Forbidden("get", type + " in " + key.namespace()));
    }
    return Seen.api(
        objects.getOrDefault(type.kind(), List.of()).stream()
            .filter(each -> ObjectKey.of(each).equals(key))
            .findFirst(),
        now);
  }

  @Override
  public <T> Evidence<List<T>> list(
      ResourceType type,
      String namespace,
      ListOptions options,
      int most,
      Function<ObjectNode, T> reader) {
    if (forbidden.contains(type.plural())) {
      return Unseen.of(
          new Why.Forbidden("list", type + (namespace.isEmpty() ? "" : " in " + namespace)));
    }
    return Seen.api(
        objects.getOrDefault(type.kind(), List.of()).stream()
            .filter(each -> namespace.isEmpty() || ObjectKey.of(each).namespace().equals(namespace))
            .filter(each -> labels(each, options.labelSelector()))
            .filter(each -> fields(each, options.fieldSelector()))
            .limit(most)
            .map(reader)
            .toList(),
        now);
  }

  @Override
  public <T> Evidence<List<T>> listMetadata(
      ResourceType type,
      String namespace,
      ListOptions options,
      int most,
      Function<ObjectNode, T> reader) {
    return list(type, namespace, options, most, reader);
  }

  private static boolean labels(ObjectNode object, String selector) {
    for (String part : selector.isEmpty() ? new String[0] : selector.split(",")) {
      int is = part.indexOf('=');
      if (is < 0 && !part.startsWith("!")) {
        if (!object.at("/metadata/labels").has(part)) {
          return false;
        }
        continue;
      }
      String key = part.startsWith("!") ? part.substring(1) : part.substring(0, is);
      String value = Json.textOr(object, "", "metadata", "labels", key);
      if (!value.equals(part.startsWith("!") ? "" : part.substring(is + 1))) {
        return false;
      }
    }
    return true;
  }

  private static boolean fields(ObjectNode object, String selector) {
    return selector.isEmpty() || selector.equals("metadata.name=" + ObjectKey.of(object).name());
  }

  @Override
  public Evidence<ObjectNode> node(String node, String question) {
    return documents.entrySet().stream()
        .filter(each -> (node + " " + question).startsWith(each.getKey()))
        .findFirst()
        .<Evidence<ObjectNode>>map(each -> new Seen<>(each.getValue(), Source.KERNEL, node, now))
        .orElseGet(() -> new Unseen<>(new Why.NoNodeApi(), node));
  }

  @Override
  public Evidence<ObjectNode> controlPlane(String question) {
    return node("", question);
  }

  @Override
  public Evidence<ObjectNode> post(String node, String question, ObjectNode body) {
    return node(node, question);
  }

  @Override
  public Evidence<RulesReport> localRules(ServiceFacts service, List<ObjectNode> slices) {
    return Unseen.of(new Why.NoRights());
  }

  @Override
  public Optional<String> localNode() {
    return Optional.ofNullable(here);
  }

  @Override
  public Evidence<NameAnswer> resolve(String server, String name) {
    NameAnswer answer =
        names.getOrDefault(
            name, new NameAnswer(server, name, NameAnswer.NO_ANSWER, List.of(), List.of(), 0));
    return new Seen<>(answer, Source.PROBE, "", now);
  }

  @Override
  public Evidence<Attempt> connect(String address, int port) {
    Outcome outcome = connections.getOrDefault(address + ":" + port, Outcome.UNREACHABLE);
    return new Seen<>(
        new Attempt(outcome, outcome == Outcome.ANSWERED ? 0.4 : 0, ""), Source.PROBE, "", now);
  }
}
