package io.fairlead.policy.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import tools.jackson.databind.node.ObjectNode;

/// A vector of section 14: what is given, and lines that say what holds, see [#check].
public record Vector(String name, Consumer<World> given, List<String> expected) {
  @Override
  public String toString() {
    return name;
  }

  static Vector vector(String name, Consumer<World> given, String... expected) {
    return new Vector(name, given, List.of(expected));
  }

  static Vector policy(String name, String spec, String... expected) {
    return vector(name, world -> world.putPolicy("p", spec), expected);
  }

  /// Ingress of x/a from these peers.
  static Vector from(String name, String peers, String... expected) {
    return policy(
        name, "{podSelector: {matchLabels: {pod: a}}, ingress: [{from: " + peers + "}]}", expected);
  }

  /// Ingress of all of x on these ports.
  static Vector ports(String name, String ports, String... expected) {
    return policy(name, "{podSelector: {}, ingress: [{ports: " + ports + "}]}", expected);
  }

  static final String ALL = "x/a x/b x/c y/a y/b y/c z/a z/b z/c";
  static final String WORLD = ALL + " 192.0.2.9 192.168.0.2";

  /// Answered by the oracle and by both nodes' plans, built step by step; and those plans are the
  /// same as from nothing.
  void run() {
    World world = new World();
    given.accept(world);
    for (String line : expected) {
      check(world, line);
      for (String node : List.of("node1", "node2")) {
        PolicyPlan plan = world.plan(node);
        assertThat(plan.described()).as(line).isEqualTo(world.fresh(node).described());
        assertThat(world.table(node).plan(plan.family())).isEqualTo(plan);
      }
    }
  }

  /// `80/TCP x/a <- x/b x/c` all that reach it; `x/a -> y/a:80/TCP` passes; `-/>` does not; `!`
  /// changes something.
  static void check(World world, String line) {
    String[] words = line.split(" ");
    if (words[0].equals("!")) {
      change(world, words, line);
    } else if (words[1].equals("->") || words[1].equals("-/>")) {
      String target = words[2].substring(0, words[2].lastIndexOf(':'));
      String[] port = words[2].substring(words[2].lastIndexOf(':') + 1).split("/");
      assertThat(world.reaches(words[0], target, Integer.parseInt(port[0]), port[1]))
          .as(line)
          .isEqualTo(words[1].equals("->"));
    } else {
      String[] port = words[0].split("/");
      Set<String> expected = new TreeSet<>(Arrays.asList(words).subList(3, words.length));
      expected.remove(words[1]);
      expected.removeIf(String::isEmpty);
      assertThat(world.reaching(words[1], Integer.parseInt(port[0]), port[1]))
          .as(line)
          .isEqualTo(expected);
    }
  }

  public static void change(World world, String[] words, String line) {
    switch (words[1]) {
      case "label" -> {
        String[] parts = words[2].split("/");
        ObjectNode pod =
            java.util.Objects.requireNonNull(
                world.pods.get(new io.fairlead.client.ObjectKey(parts[0], parts[1])));
        World.labels(pod).put(words[3], words[4]);
        world.putPod(pod);
      }
      case "namespace" -> world.putNamespace(words[2], labels(words[2], words[3], words[4]));
      case "policy" -> world.putPolicy(words[2], line.substring(line.indexOf('{')));
      case "policy-gone" -> world.removePolicy("x", words[2]);
      case "remove" -> world.removePod(words[2]);
      default -> throw new IllegalArgumentException(line);
    }
  }

  private static Map<String, String> labels(String namespace, String key, String value) {
    Map<String, String> labels = new java.util.TreeMap<>();
    labels.put("ns", namespace);
    labels.put("kubernetes.io/metadata.name", namespace);
    labels.put(key, value);
    return labels;
  }
}
