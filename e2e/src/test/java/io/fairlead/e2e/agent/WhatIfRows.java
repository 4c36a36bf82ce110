package io.fairlead.e2e.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import io.fairlead.kernel.process.CommandRunner;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;

/// What `simulate` and `nodrop` say of a running node.
record WhatIfRows(StreamTestPods pods) {
  private static final String VERSIONS = "jsonpath={.items[*].metadata.resourceVersion}";
  private static final String FLEETING =
      """
      apiVersion: v1
      kind: Pod
      metadata: {name: fleeting, labels: {app: fleeting}}
      spec:
        terminationGracePeriodSeconds: 1
        containers: [{name: fleeting, image: fairlead.dev/hostnames}]
      ---
      apiVersion: v1
      kind: Service
      metadata: {name: fleeting}
      spec: {selector: {app: fleeting}, ports: [{port: 80, targetPort: 9376}]}
      """;

  Stream<DynamicTest> rows() {
    return Stream.of(
        dynamicTest("v110 simulate changes neither kernel nor API", this::nothingChanges),
        dynamicTest("v116 a command that fails is no loss", this::failingCommand),
        dynamicTest("nodrop names what became of a pod's connections", this::losses));
  }

  /// @param words the verb first
  private CommandRunner.Result fairlead(List<String> words) throws IOException {
    List<String> rest = new ArrayList<>(words);
    String verb = rest.removeFirst();
    rest.addFirst("--kubeconfig=" + pods.instance().kubeconfig());
    return pods.instance().fairlead(verb, rest.toArray(String[]::new));
  }

  /// The proxy's table without counters, and the versions of the objects that are asked about.
  private String state() {
    return pods.instance()
            .run("", List.of("nft", "-s", "list", "table", "ip", "fairlead-proxy"))
            .output()
        + pods.kubectl("get", "service/web", "pod/web", "-o", VERSIONS).output()
        + pods.kubectl(
                "get", "endpointslices", "-l", "kubernetes.io/service-name=web", "-o", VERSIONS)
            .output();
  }

  private void nothingChanges() throws IOException {
    String before = state();
    CommandRunner.Result killed = fairlead(List.of("simulate", "--kill=pod/web"));
    assertThat(killed.output()).contains("default/web   1 → 0 endpoints", "100 → 0 %");
    assertThat(killed.output()).contains("Nothing was changed.");
    assertThat(killed.exit()).as(killed.output() + killed.error()).isEqualTo(3);
    assertThat(state()).isEqualTo(before);
  }

  private void failingCommand() throws IOException {
    CommandRunner.Result result =
        fairlead(
            List.of("nodrop", "svc/web", "--rate=20", "--long=2", "--settle=100ms", "--", "false"));
    assertThat(result.output())
        .as(result.error())
        .contains(" 0 lost", "2 long-lived: 2 open", "command ended with 1");
    assertThat(result.exit()).isEqualTo(1);
  }

  private void losses() throws IOException {
    CommandRunner.Result applied = pods.kubectl(pods.newest(), FLEETING, "apply", "-f", "-");
    assertThat(applied.exit()).as(applied.error()).isZero();
    pods.kubectl("wait", "--for=condition=Ready", "pod/fleeting", "--timeout=120s");
    assertThat(fairlead(List.of("explain", "svc/fleeting", "--wait=120s")).exit()).isZero();
    List<String> words =
        new ArrayList<>(
            List.of("nodrop", "svc/fleeting", "--rate=50", "--long=2", "--settle=1s", "--"));
    words.addAll(pods.line(pods.newest(), "delete", "pod", "fleeting"));
    CommandRunner.Result result = fairlead(words);
    assertThat(result.exit()).as(result.output() + result.error()).isEqualTo(3);
    assertThat(result.output())
        .containsPattern(" [1-9][0-9 ]* lost")
        .containsPattern("FL185|FL186|FL187|FL188|no endpoint was ready");
    pods.kubectl("delete", "service", "fleeting");
  }
}
