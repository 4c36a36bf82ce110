package io.fairlead.e2e.agent;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.e2e.kubectl.Kubectl;
import io.fairlead.kernel.process.CommandRunner;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// Pods of every kind that one can talk to, on an instance of their own, and the kubectl to do it
/// with.
final class StreamTestPods implements AutoCloseable {
  private static final String PODS =
      """
      apiVersion: v1
      kind: Pod
      metadata: {name: tools}
      spec:
        terminationGracePeriodSeconds: 1
        containers:
        - name: c
          image: fairlead.dev/shell
          command: [sh, -c, "while :; do echo tick; sleep 0.2; done"]
      ---
      apiVersion: v1
      kind: Pod
      metadata: {name: web, labels: {app: web}}
      spec:
        terminationGracePeriodSeconds: 1
        containers:
        - name: c
          image: fairlead.dev/hostnames
          ports: [{containerPort: 9376}]
          readinessProbe: {httpGet: {port: 9376, path: /healthz}, periodSeconds: 1}
        - {name: echo, image: fairlead.dev/echo}
      ---
      apiVersion: v1
      kind: Pod
      metadata: {name: files}
      spec:
        terminationGracePeriodSeconds: 1
        containers:
        - name: c
          image: fairlead.dev/shell
          command: [busybox, httpd, -f, -p, "8081", -h, /served]
          volumeMounts: [{name: served, mountPath: /served}]
        volumes: [{name: served, hostPath: {path: HOME}}]
      ---
      apiVersion: v1
      kind: Pod
      metadata: {name: three-lines}
      spec:
        restartPolicy: Never
        containers:
        - name: c
          image: fairlead.dev/shell
          command: [sh, -c, "for i in 1 2 3; do echo line $i; done; sleep 3; echo end; exit 1"]
      ---
      apiVersion: v1
      kind: Pod
      metadata: {name: crashes}
      spec:
        terminationGracePeriodSeconds: 1
        containers:
        - {name: c, image: fairlead.dev/shell, command: [sh, -c, "echo last words; exit 1"]}
      ---
      apiVersion: v1
      kind: Service
      metadata: {name: web}
      spec: {selector: {app: web}, ports: [{port: 80, targetPort: 9376}]}
      """;

  private final Path home;
  private final NodeInstance instance;
  private final Path newest;

  StreamTestPods(Path home) throws IOException {
    this.home = home;
    List<Path> installed = Kubectl.installed();
    newest = installed.isEmpty() ? Path.of("kubectl") : installed.getLast();
    instance = new NodeInstance(home);
    try {
      apply();
    } catch (RuntimeException | AssertionError e) {
      instance.close();
      throw e;
    }
  }

  private void apply() {
    String pods = PODS.replace("HOME", home.toString());
    CommandRunner.Result applied = kubectl(newest, pods, "apply", "-f", "-");
    assertThat(applied.exit()).as(applied.error()).isZero();
    CommandRunner.Result ready =
        kubectl(
            "wait", "--for=condition=Ready", "pod/tools", "pod/web", "pod/files", "--timeout=80s");
    assertThat(ready.exit()).as(ready.error()).isZero();
  }

  /// Where files of the test may lie.
  Path home() {
    return home;
  }

  NodeInstance instance() {
    return instance;
  }

  /// The newest kubectl there is.
  Path newest() {
    return newest;
  }

  /// What one types to call a kubectl.
  List<String> line(Path binary, String... words) {
    List<String> line =
        new ArrayList<>(
            List.of(binary.toString(), "--kubeconfig=" + instance.kubeconfig(), "-n", "default"));
    line.addAll(List.of(words));
    return line;
  }

  CommandRunner.Result kubectl(Path binary, String input, String... words) {
    return instance.run(input, line(binary, words));
  }

  CommandRunner.Result kubectl(String... words) {
    return kubectl(newest, "", words);
  }

  @Override
  public void close() {
    instance.close();
  }
}
