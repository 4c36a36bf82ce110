package io.fairlead.e2e.up;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fairlead.kernel.process.CommandRunner;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// Three pods that say their names, behind one Service.
final class Hostnames {
  private static final String OBJECTS =
      """
      apiVersion: apps/v1
      kind: Deployment
      metadata: {name: hostnames}
      spec:
        replicas: 3
        selector: {matchLabels: {app: hostnames}}
        template:
          metadata: {labels: {app: hostnames}}
          spec:
            terminationGracePeriodSeconds: 1
            containers:
            - name: hostnames
              image: fairlead.dev/hostnames
              ports: [{containerPort: 9376}]
      ---
      apiVersion: v1
      kind: Service
      metadata: {name: hostnames}
      spec:
        type: NodePort
        selector: {app: hostnames}
        ports: [{port: 80, targetPort: 9376, nodePort: 30380}]
      """;

  private final IsolatedMachine machine;

  Hostnames(IsolatedMachine machine) {
    this.machine = machine;
  }

  void apply() {
    IsolatedMachine.must(machine.kubectl(OBJECTS, "apply", "-f", "-"));
  }

  void scale(int replicas) {
    IsolatedMachine.must(
        machine.kubectl("", "scale", "deployment/hostnames", "--replicas=" + replicas));
  }

  /// The address of the Service.
  String address() {
    return get("service/hostnames", "{.spec.clusterIP}");
  }

  private String get(String what, String path) {
    CommandRunner.Result result = machine.kubectl("", "get", what, "-o", "jsonpath=" + path);
    IsolatedMachine.must(result);
    return result.output();
  }

  /// The names of the pods that are there now.
  Set<String> pods() {
    return each("{.metadata.name}");
  }

  /// What tells these pods from all others anywhere.
  Set<String> identities() {
    return each("{.metadata.uid}");
  }

  private Set<String> each(String path) {
    String found =
        machine
            .kubectl(
                "",
                "get",
                "pods",
                "-l",
                "app=hostnames",
                "-o",
                "jsonpath={range .items[*]}" + path + " {end}")
            .output();
    return new HashSet<>(List.of(found.strip().split(" ")));
  }

  /// What so many connections to a place get; each must get something.
  List<String> ask(String host, int times) {
    List<String> answers = new ArrayList<>();
    for (int i = 0; i < times; i++) {
      answers.add(machine.output("curl", "-s", "--max-time", "20", "http://" + host + "/").strip());
    }
    return answers;
  }

  /// Waits until all three pods answer through an address, and no other pod.
  void awaitAll(String host) {
    await()
        .atMost(IsolatedMachine.LIMIT)
        .untilAsserted(
            () -> {
              Set<String> pods = pods();
              assertThat(pods).hasSize(3);
              assertThat(new HashSet<>(ask(host, 20))).isEqualTo(pods);
            });
  }
}
