package io.fairlead.e2e.up;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import io.fairlead.kernel.process.CommandRunner;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The whole product on one machine: from `up` over `kubectl apply` to answers through a Service,
/// and back to a machine as it was.
@Tag("system")
class UpNodeTest {
  private static final String DNS = "10.96.0.10";

  /// On a busy machine a proxy may need longer than the usual two seconds.
  private static final String DRAINED =
      """
      apiVersion: apps/v1
      kind: Deployment
      metadata: {name: drained}
      spec:
        replicas: 2
        selector: {matchLabels: {app: drained}}
        template:
          metadata:
            labels: {app: drained}
            annotations: {fairlead.dev/drain: "15s"}
          spec:
            containers:
            - name: hostnames
              image: fairlead.dev/hostnames
      ---
      apiVersion: v1
      kind: Service
      metadata: {name: drained}
      spec:
        selector: {app: drained}
        ports: [{port: 80, targetPort: 9376}]
      """;

  // Exit codes of curl.
  private static final int COULD_NOT_CONNECT = 7;
  private static final int TIMED_OUT = 28;

  @TempDir static Path home;
  private static IsolatedMachine machine;
  private static Hostnames hostnames;
  private static CallingPod caller;
  private static String before;
  private static CommandRunner.Result up;

  @BeforeAll
  static void start() throws IOException {
    assumeThat(IsolatedMachine.kubectl()).as("kubectl is installed").isPresent();
    machine = new IsolatedMachine(home, true);
    before = machine.state();
    up = machine.up();
    IsolatedMachine.must(up);
    hostnames = new Hostnames(machine);
    hostnames.apply();
    caller = CallingPod.start(machine);
    hostnames.awaitAll(hostnames.address());
  }

  @AfterAll
  static void stop() {
    if (machine == null) {
      return;
    }
    try {
      CommandRunner.Result down = machine.fairlead("down", "--data-dir=" + machine.data());
      IsolatedMachine.must(down);
      assertThat(down.output())
          .contains(
              "✓ stopped",
              "✓ rules, routes, addresses removed",
              "✓ ruleset equals the one before `up`");
      assertThat(machine.state()).isEqualTo(before);
    } finally {
      machine.fairlead("down", "--purge", "--data-dir=" + machine.data());
      machine.close();
    }
  }

  @Test
  void theStartShowsEveryPart() {
    assertThat(up.output())
        .containsSubsequence(
            "✓ preflight",
            "✓ store and API",
            "✓ controllers",
            "✓ proxy",
            "nftables",
            "✓ DNS",
            DNS,
            "✓ policy",
            "gate 10.244.0.0/24",
            "✓ node agent",
            "node fairlead, pods 10.244.0.0/24",
            "Ready in",
            "Next: kubectl apply -f examples/hostnames.yaml");
  }

  @Test
  void aPolicyHoldsForServicesAndGoes() {
    String deny =
        """
        apiVersion: networking.k8s.io/v1
        kind: NetworkPolicy
        metadata: {name: deny-hostnames}
        spec: {podSelector: {matchLabels: {app: hostnames}}, policyTypes: [Ingress]}
        """;
    assertThat(machine.fairlead("status", "--data-dir=" + machine.data()).output())
        .contains("NetworkPolicies are in force");
    CommandRunner.Result applied = machine.kubectl(deny, "apply", "-f", "-");
    IsolatedMachine.must(applied);
    assertThat(applied.error()).doesNotContain("FL169");
    try {
      String pod = podNamespaces().getFirst();
      String call =
          "ip netns exec "
              + pod
              + " curl -s -o /dev/null --max-time 2 http://"
              + hostnames.address()
              + "/";
      // To itself a pod always gets through.
      await()
          .atMost(java.time.Duration.ofSeconds(60))
          .until(
              () -> {
                int dropped = 0;
                for (int i = 0; i < 6; i++) {
                  dropped += machine.run("", "sh", "-c", call).exit() == TIMED_OUT ? 1 : 0;
                }
                return dropped > 0;
              });
      assertThat(machine.output("curl", "-s", "--max-time", "20", "http://" + hostnames.address()))
          .as("the node itself")
          .isNotEmpty();
    } finally {
      IsolatedMachine.must(machine.kubectl("", "delete", "networkpolicy", "deny-hostnames"));
    }
    hostnames.awaitAll(hostnames.address());
  }

  @Test
  void theNeighbourReachesTheNodePort() {
    HashSet<String> seen = new HashSet<>();
    for (int i = 0; i < 20 || (seen.size() < 3 && i < 100); i++) {
      seen.add(machine.neighbourGets("http://" + IsolatedMachine.ADDRESS + ":30380/"));
    }
    assertThat(seen).isEqualTo(hostnames.pods());
  }

  @Test
  void aPodAsksTheApiByItsServiceAndMayWhatItsAccountMay() {
    assertThat(caller.get("/version")).contains("\"gitVersion\"");
    assertThat(caller.get("/api/v1/namespaces/default/configmaps/greeting"))
        .contains("good morning");
    assertThat(caller.get("/api/v1/namespaces/default/secrets"))
        .contains("Forbidden", "system:serviceaccount:default:caller");
    assertThat(machine.output("curl", "-sk", "--max-time", "60", "https://10.96.0.1/version"))
        .as("the machine itself")
        .contains("\"gitVersion\"");
  }

  @Test
  void aNeighbourThatKnowsTheWayGetsNoAnswerFromTheApi() {
    String endpoint =
        machine
            .kubectl("", "get", "endpoints", "kubernetes", "--no-headers")
            .output()
            .strip()
            .split("\\s+")[1];
    assertThat(endpoint).isEqualTo("10.244.0.1:6443");
    IsolatedMachine.must(
        machine.neighbour("ip", "route", "replace", "10.244.0.1", "via", IsolatedMachine.ADDRESS));
    assertThat(neighbourCalls(IsolatedMachine.ADDRESS + ":6443")).isEqualTo(COULD_NOT_CONNECT);
    // The way is open: a port without a listener refuses; the API does not answer.
    assertThat(neighbourCalls("10.244.0.1:6444")).isEqualTo(COULD_NOT_CONNECT);
    assertThat(neighbourCalls(endpoint)).isEqualTo(TIMED_OUT);
  }

  private static int neighbourCalls(String place) {
    return machine
        .neighbour("curl", "-sk", "--max-time", "4", "https://" + place + "/version")
        .exit();
  }

  @Test
  void theNodeAndItsPodsResolveNames() throws IOException {
    String name = "hostnames.default.svc.cluster.local";
    assertThat(dig(name)).isEqualTo(hostnames.address());
    assertThat(dig("+tcp", name)).isEqualTo(hostnames.address());
    assertThat(machine.kubectl("", "get", "svc", "-n", "kube-system", "kube-dns").output())
        .contains("ClusterIP", DNS, "53/UDP,53/TCP");
    for (String pod : podNamespaces()) {
      String inside = "ip netns exec " + pod + " ";
      CommandRunner.Result asked =
          machine.run("", "sh", "-c", inside + "dig +short +time=20 @" + DNS + " " + name);
      assertThat(asked.output().strip()).as(asked.error()).isEqualTo(hostnames.address());
      String got =
          machine.output(
              "sh", "-c", inside + "curl -s --max-time 20 http://" + hostnames.address() + "/");
      assertThat(hostnames.pods()).contains(got.strip());
    }
    try (var files = Files.walk(machine.data().resolve("agent"))) {
      List<Path> resolv =
          files.filter(file -> file.endsWith("resolv.conf")).filter(Files::isRegularFile).toList();
      assertThat(resolv)
          .isNotEmpty()
          .allSatisfy(file -> assertThat(file).content().contains("nameserver " + DNS));
    }
  }

  private static String dig(String... words) {
    String[] command = new String[words.length + 4];
    System.arraycopy(new String[] {"dig", "+short", "+time=20", "@" + DNS}, 0, command, 0, 4);
    System.arraycopy(words, 0, command, 4, words.length);
    return machine.output(command).strip();
  }

  /// The network namespaces of the three pods. Pods of other machines are in the same list.
  private static List<String> podNamespaces() {
    Set<String> identities = hostnames.identities();
    List<String> all =
        machine
            .output("ip", "netns", "list")
            .lines()
            .map(line -> line.split(" ")[0])
            .filter(name -> identities.stream().anyMatch(name::contains))
            .toList();
    assertThat(all).hasSize(3).allMatch(name -> name.startsWith("fairlead-"));
    return all;
  }

  @Test
  void everyModeAnswersAndTheFirstComesBack() {
    String data = "--data-dir=" + machine.data();
    assertThat(machine.fairlead("mode", data).output()).isEqualTo("mode nftables\n");
    for (String mode : List.of("iptables", "userspace", "nftables")) {
      CommandRunner.Result changed = machine.fairlead("mode", mode, data);
      IsolatedMachine.must(changed);
      assertThat(changed.output()).contains("mode " + mode + ", was");
      List<String> answers = hostnames.ask(hostnames.address(), 9);
      assertThat(hostnames.pods()).as(mode).containsAll(answers);
      assertThat(dig("hostnames.default.svc.cluster.local"))
          .as("DNS in mode " + mode)
          .isEqualTo(hostnames.address());
      assertThat(caller.get("/version")).as("API in mode " + mode).contains("gitVersion");
      if (mode.equals("userspace")) {
        assertThat(new HashSet<>(answers)).as("in turn").hasSize(3);
      }
    }
  }

  /// The way of the texts: edit the ConfigMap, delete the proxy's pod.
  @Test
  void theModeFollowsTheConfigMapOnceTheProxysPodIsDeleted() {
    String data = "--data-dir=" + machine.data();
    await()
        .atMost(IsolatedMachine.LIMIT)
        .untilAsserted(
            () ->
                assertThat(system("get", "pods", "--no-headers").output().lines())
                    .hasSize(3)
                    .allMatch(line -> line.matches("\\S+-fairlead +1/1 +Running +0 +\\S+")));
    assertThat(system("exec", "kube-proxy-fairlead", "--", "true").error())
        .contains("shows the proxy inside the process of fairlead");
    try {
      editMode("mode: \"\"", "mode: iptables");
      assertThat(machine.fairlead("mode", data).output()).isEqualTo("mode nftables\n");
      IsolatedMachine.must(system("delete", "pod", "-l", "k8s-app=kube-proxy"));
      assertThat(machine.fairlead("mode", data).output()).isEqualTo("mode iptables\n");
      assertThat(hostnames.pods()).containsAll(hostnames.ask(hostnames.address(), 3));
      IsolatedMachine.must(
          system("wait", "pod", "-l", "k8s-app=kube-proxy", "--for=condition=Ready"));
      assertThat(system("logs", "-l", "k8s-app=kube-proxy", "--tail=-1").output())
          .containsSubsequence("Using nftables Proxier", "Using iptables Proxier");
    } finally {
      editMode("mode: iptables", "mode: \"\"");
      IsolatedMachine.must(system("delete", "pod", "-l", "k8s-app=kube-proxy"));
    }
    assertThat(machine.fairlead("mode", data).output()).isEqualTo("mode nftables\n");
  }

  private static CommandRunner.Result system(String... words) {
    return inSystem("", words);
  }

  private static CommandRunner.Result inSystem(String input, String... words) {
    List<String> all = new ArrayList<>(List.of("-n", "kube-system"));
    all.addAll(List.of(words));
    return machine.kubectl(input, all.toArray(String[]::new));
  }

  private static void editMode(String from, String to) {
    String map = system("get", "configmap", "kube-proxy", "-o", "yaml").output();
    assertThat(map).contains(from);
    IsolatedMachine.must(inSystem(map.replace(from, to), "replace", "-f", "-"));
  }

  /// N31: the pods end only when the proxy has let go of them, so no client is sent away.
  @Test
  void aRollingRestartOfDrainedPodsLosesNoConnection() {
    IsolatedMachine.must(machine.kubectl(DRAINED, "apply", "-f", "-"));
    IsolatedMachine.must(rollout("status"));
    String address =
        machine.kubectl("", "get", "service/drained", "-o", "jsonpath={.spec.clusterIP}").output();
    try (SteadyCaller caller = new SteadyCaller(machine, address, 80)) {
      await().atMost(IsolatedMachine.LIMIT).until(() -> caller.answered() > 100);
      Set<String> first = Set.copyOf(caller.seen());
      IsolatedMachine.must(rollout("restart"));
      IsolatedMachine.must(rollout("status"));
      await()
          .atMost(IsolatedMachine.LIMIT)
          .untilAsserted(
              () -> {
                Set<String> pods = drained();
                assertThat(pods).hasSize(2).doesNotContainAnyElementsOf(first);
                assertThat(caller.seen()).containsAll(pods);
              });
      caller.stop();
      assertThat(caller.failures()).as(caller.answered() + " answered").isEmpty();
    }
    assertThat(machine.kubectl("", "get", "events", "-o", "jsonpath={.items[*].reason}").output())
        .doesNotContain("DrainIncomplete");
    IsolatedMachine.must(machine.kubectl(DRAINED, "delete", "--cascade=foreground", "-f", "-"));
  }

  private static CommandRunner.Result rollout(String what) {
    return what.equals("status")
        ? machine.kubectl("", "rollout", what, "deployment/drained", "--timeout=120s")
        : machine.kubectl("", "rollout", what, "deployment/drained");
  }

  private static Set<String> drained() {
    return Set.of(
        machine
            .kubectl(
                "",
                "get",
                "pods",
                "-l",
                "app=drained",
                "-o",
                "jsonpath={range .items[*]}{.metadata.name} {end}")
            .output()
            .strip()
            .split(" "));
  }

  @Test
  void statusAndDoctorAskEveryPart() {
    String data = "--data-dir=" + machine.data();
    CommandRunner.Result status = machine.fairlead("status", data);
    IsolatedMachine.must(status);
    assertThat(status.output())
        .contains("✓ proxy", "services", "✓ dns", DNS, "✓ agent", "node fairlead");
    assertThat(machine.fairlead("status", data, "-o", "json").output())
        .contains("\"name\" : \"proxy\"", "\"name\" : \"dns\"", "\"name\" : \"agent\"");
    assertThat(machine.fairlead("doctor", data).output())
        .contains("✓ root", "✓ nftables", "✓ iptables", "✓ proxy nftables", "✓ dns " + DNS);
  }

  @Test
  void aSecondNodeOnThisMachineIsRefused() {
    CommandRunner.Result second =
        machine.fairlead(
            "up",
            "--data-dir=" + home.resolve("other"),
            "--kubeconfig=" + home.resolve("other.kubeconfig"),
            "--api-port=16443");
    assertThat(second.exit()).as(second.output()).isEqualTo(4);
    assertThat(second.output()).contains("(FL223)", machine.data().toString(), "--agent=off");
    assertThat(home.resolve("other")).doesNotExist();
  }
}
