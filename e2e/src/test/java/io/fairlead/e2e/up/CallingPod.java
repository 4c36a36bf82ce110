package io.fairlead.e2e.up;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fairlead.kernel.process.CommandRunner;

/// A pod that asks the API as any program in a pod does: by the name of its Service, with the token
/// and the CA that it finds in its files. Its account may read one ConfigMap.
final class CallingPod {
  private static final String FILES = "/var/run/secrets/kubernetes.io/serviceaccount";
  private static final String OBJECTS =
      """
      apiVersion: v1
      kind: ServiceAccount
      metadata: {name: caller}
      ---
      apiVersion: v1
      kind: ConfigMap
      metadata: {name: greeting}
      data: {text: good morning}
      ---
      apiVersion: rbac.authorization.k8s.io/v1
      kind: Role
      metadata: {name: greeted}
      rules: [{apiGroups: [""], resources: [configmaps], resourceNames: [greeting], verbs: [get]}]
      ---
      apiVersion: rbac.authorization.k8s.io/v1
      kind: RoleBinding
      metadata: {name: greeted}
      subjects: [{kind: ServiceAccount, name: caller, namespace: default}]
      roleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, name: greeted}
      ---
      apiVersion: v1
      kind: Pod
      metadata: {name: caller}
      spec:
        serviceAccountName: caller
        terminationGracePeriodSeconds: 1
        containers:
        - {name: caller, image: fairlead.dev/shell, command: [sleep, infinity]}
      """;

  private final IsolatedMachine machine;

  private CallingPod(IsolatedMachine machine) {
    this.machine = machine;
  }

  /// Starts it and returns when it runs.
  static CallingPod start(IsolatedMachine machine) {
    IsolatedMachine.must(machine.kubectl(OBJECTS, "apply", "-f", "-"));
    await()
        .atMost(IsolatedMachine.LIMIT)
        .until(
            () ->
                machine
                    .kubectl("", "get", "pod", "caller", "-o", "jsonpath={.status.phase}")
                    .output()
                    .equals("Running"));
    return new CallingPod(machine);
  }

  /// What the API answers to it.
  String get(String path) {
    String script =
        "exec curl -sS --max-time 60 --cacert "
            + FILES
            + "/ca.crt -H \"Authorization: Bearer $(cat "
            + FILES
            + "/token)\" https://kubernetes.default.svc"
            + path;
    CommandRunner.Result asked = machine.kubectl("", "exec", "caller", "--", "sh", "-c", script);
    assertThat(asked.exit()).as(asked.output() + asked.error()).isZero();
    return asked.output();
  }
}
