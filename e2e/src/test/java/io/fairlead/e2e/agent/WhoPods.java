package io.fairlead.e2e.agent;

import static io.fairlead.e2e.agent.NodeLab.PATIENCE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fairlead.kernel.process.CommandRunner;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/// A pod on every node of a lab that answers with its node and its caller, Services for them, and a
/// pod that only calls.
final class WhoPods {
  static final String IMAGE = "fairlead.test/busybox:1";

  /// Leads to the pods of all nodes.
  static final String SERVICE = "10.96.1.175";

  /// Leads to the pod of the node one calls from.
  static final String SERVICE_HERE = "10.96.1.176";

  private static final String OBJECTS =
      """
      apiVersion: apps/v1
      kind: DaemonSet
      metadata: {name: who}
      spec:
        selector: {matchLabels: {app: who}}
        template:
          metadata: {labels: {app: who}}
          spec:
            terminationGracePeriodSeconds: 2
            containers:
            - name: c
              image: fairlead.test/busybox:1
              command:
              - sh
              - -c
              - |
                mkdir -p /www/cgi-bin
                printf '#!/bin/sh\\nprintf "Content-Type: text/plain\\\\n\\\\n"\\necho "$NODE $REMOTE_ADDR"\\n' \\
                  > /www/cgi-bin/who
                chmod +x /www/cgi-bin/who
                echo begun on $NODE
                trap 'exit 0' TERM
                httpd -f -p 8080 -h /www & wait
              env: [{name: NODE, valueFrom: {fieldRef: {fieldPath: spec.nodeName}}}]
              ports: [{containerPort: 8080, hostPort: 8088}]
              readinessProbe: {tcpSocket: {port: 8080}, periodSeconds: 1}
      ---
      apiVersion: v1
      kind: Service
      metadata: {name: who}
      spec:
        clusterIP: 10.96.1.175
        selector: {app: who}
        ports: [{port: 80, targetPort: 8080}]
      ---
      apiVersion: v1
      kind: Service
      metadata: {name: who-here}
      spec:
        clusterIP: 10.96.1.176
        internalTrafficPolicy: Local
        selector: {app: who}
        ports: [{port: 80, targetPort: 8080}]
      ---
      apiVersion: v1
      kind: Pod
      metadata: {name: caller}
      spec:
        nodeName: node-a
        terminationGracePeriodSeconds: 1
        containers: [{name: c, image: "fairlead.test/busybox:1", command: [sleep, "100000"]}]
      """;

  /// A pod of the DaemonSet.
  ///
  /// @param run containers and restarts: what changes when something was touched
  record Who(String name, List<String> addresses, String uid, String run) {}

  private final NodeLab lab;

  /// By node. Every test finds the same ones, so they are asked for once.
  private final Map<String, Who> found;

  private WhoPods(NodeLab lab, Map<String, Who> found) {
    this.lab = lab;
    this.found = found;
  }

  /// Asks for all of it and waits until the pods are ready.
  static WhoPods apply(NodeLab lab, int nodes) {
    CommandRunner.Result applied = lab.kubectl(OBJECTS, "apply", "-f", "-");
    assertThat(applied.exit()).as(applied.error()).isZero();
    await()
        .atMost(PATIENCE)
        .untilAsserted(
            () ->
                assertThat(lab.get("daemonset/who", "{.status.numberReady}"))
                    .as(() -> lab.kubectl("", "get", "pods,nodes,events", "-o", "wide").output())
                    .isEqualTo(Integer.toString(nodes)));
    return new WhoPods(lab, look(lab));
  }

  private static Map<String, Who> look(NodeLab lab) {
    String template =
        "{range .items[*]}{.spec.nodeName}|{.metadata.name}|{.status.podIPs[*].ip}|{.metadata.uid}|"
            + "{.status.containerStatuses[0].containerID}"
            + " {.status.containerStatuses[0].restartCount}{\"\\n\"}{end}";
    Map<String, Who> found = new TreeMap<>();
    lab.kubectl("", "get", "pods", "-l", "app=who", "-o", "jsonpath=" + template)
        .output()
        .lines()
        .map(line -> line.split("\\|"))
        .forEach(
            part ->
                found.put(
                    part[0], new Who(part[1], List.of(part[2].split(" ")), part[3], part[4])));
    return found;
  }

  /// The pod of a node.
  Who on(String node) {
    return Objects.requireNonNull(found.get(node));
  }

  /// The pods and their containers are those of the beginning.
  void assertUntouched() {
    assertThat(look(lab)).isEqualTo(found);
  }

  static String url(String host, int port) {
    String shown = host.contains(":") ? "[" + host + "]" : host;
    return "http://" + shown + ":" + port + "/cgi-bin/who";
  }

  /// Asks from inside the container of a node's pod.
  String askFromPod(String node, String url) {
    return askFrom(on(node).name(), url);
  }

  /// Asks from inside a container, by `kubectl exec`.
  String askFrom(String pod, String url) {
    CommandRunner.Result result = lab.kubectl("", "exec", pod, "--", "wget", "-qO-", url);
    return spelled(result.output()) + result.error().strip();
  }

  String askFromNode(String node, String url) {
    return CommandRunner.inside(lab.node(node), PATIENCE)
        .run("", List.of("curl", "-s", "--max-time", "20", url))
        .output()
        .transform(WhoPods::spelled);
  }

  /// httpd writes callers in brackets, those by IPv4 as a kind of IPv6.
  private static String spelled(String answer) {
    return answer.strip().replace("[::ffff:", "").replaceAll("[\\[\\]]", "");
  }
}
