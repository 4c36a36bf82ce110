package io.fairlead.agent.discovery;

import io.fairlead.agent.pod.Pod;
import io.fairlead.api.yaml.Yaml;
import tools.jackson.databind.node.ObjectNode;

/// Pods of which only the specification matters.
final class TestPods {
  private TestPods() {}

  static Pod pod(String name, String spec) {
    return Pod.of(
        (ObjectNode)
            Yaml.parse(
                "metadata: {name: "
                    + name
                    + ", namespace: ns, uid: u1, labels: {a: b, c: 'd e'}}\nspec: "
                    + spec));
  }
}
