package io.fairlead.agent;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.agent.pod.Pod;
import io.fairlead.api.yaml.Yaml;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.node.ObjectNode;

/// What `kubectl logs` says of a container that never ran: the words of kubelets.
class WaitingReasonTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "c; ErrImagePull; image can't be pulled",
        "c; ImagePullBackOff; trying and failing to pull image",
        "c; CreateContainerConfigError; CreateContainerConfigError",
        "c; ContainerCreating; ContainerCreating",
        "i; PodInitializing; PodInitializing",
        "x; ErrImagePull; ContainerCreating"
      },
      quoteCharacter = '"')
  void isThatOfTheStatus(String container, String reason, String said) {
    String list = container.equals("i") ? "initContainerStatuses" : "containerStatuses";
    String name = container.equals("x") ? "another" : container;
    Pod pod =
        Pod.of(
            (ObjectNode)
                Yaml.parse(
                    "{metadata: {name: p, namespace: ns}, spec: {}, status: {%s: [{name: %s, state: {waiting: {reason: %s}}}]}}"
                        .formatted(list, name, reason)));
    assertThat(PodWorkers.waitingReason(pod, container)).isEqualTo(said);
  }
}
