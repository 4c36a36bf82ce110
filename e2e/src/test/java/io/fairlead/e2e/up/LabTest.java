package io.fairlead.e2e.up;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.fairlead.e2e.FairleadCli;
import io.fairlead.e2e.QuickBuild;
import io.fairlead.e2e.Repository;
import io.fairlead.kernel.process.CommandRunner;
import io.fairlead.kernel.syscall.NetworkNamespace;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// `up --lab`: a node that the machine around it does not notice.
@Tag("system")
class LabTest {
  private static final Duration LIMIT = Duration.ofMinutes(3);
  private static final String OBJECTS =
      """
      apiVersion: v1
      kind: Pod
      metadata: {name: hostnames-0, labels: {app: hostnames}}
      spec: {containers: [{name: hostnames, image: fairlead.dev/hostnames}]}
      ---
      apiVersion: v1
      kind: Service
      metadata: {name: hostnames}
      spec: {clusterIP: 10.96.1.175, selector: {app: hostnames}, ports: [{port: 80, targetPort: 9376}]}
      ---
      apiVersion: v1
      kind: Pod
      metadata: {name: tools}
      spec: {containers: [{name: tools, image: fairlead.dev/shell}]}
      """;

  private static final String HUNDRED =
      """
      apiVersion: apps/v1
      kind: Deployment
      metadata: {name: many}
      spec:
        replicas: 100
        selector: {matchLabels: {app: many}}
        template:
          metadata: {labels: {app: many}}
          spec: {containers: [{name: hostnames, image: fairlead.dev/hostnames}]}
      """;

  @TempDir Path home;
  private Path launcher;

  /// Where and as whom Fairlead is called.
  private List<String> around = List.of();

  private @Nullable NetworkNamespace machine;

  @BeforeEach
  void canBeMade() throws IOException {
    assumeThat(IsolatedMachine.kubectl()).as("kubectl is installed").isPresent();
    assumeThat(
            CommandRunner.here(LIMIT)
                .run("", List.of("unshare", "--user", "--map-root-user", "--net", "true"))
                .exit())
        .as("user namespaces are allowed")
        .isZero();
    launcher = FairleadCli.launcher(home);
  }

  @AfterEach
  void end() {
    if (launcher != null) {
      fairlead("down", "--purge");
    }
    if (machine != null) {
      machine.delete();
    }
  }

  private CommandRunner.Result fairlead(String verb, String... words) {
    List<String> command = new ArrayList<>(around);
    command.addAll(
        List.of(
            "env",
            "-u",
            "KUBECONFIG",
            "HOME=" + home,
            "SHELL=/bin/sh",
            "LC_ALL=C.UTF-8",
            "sh",
            "-c",
            "exec \"$@\" 2>&1",
            "sh",
            launcher.toString(),
            verb,
            "--data-dir=" + home.resolve("data")));
    command.addAll(List.of(words));
    return CommandRunner.here(LIMIT).run("", command);
  }

  private String inside(String script) {
    CommandRunner.Result result = fairlead("shell", script);
    assertThat(result.exit()).as(result.output()).isZero();
    return result.output();
  }

  /// A program with its flags, typed as it is; in the directory where the user is.
  private void firstCommands(String kubectl) {
    CommandRunner.Result nodes = fairlead("shell", kubectl, "get", "nodes", "-o", "name");
    assertThat(nodes.output().strip()).isEqualTo("node/fairlead");
    assertThat(inside("pwd").strip()).isEqualTo(Path.of("").toAbsolutePath().toString());
    inside(kubectl + " create service clusterip empty --tcp=80 --clusterip=10.96.1.176");
    CommandRunner.Result refused =
        fairlead(
            "shell",
            "timeout 150 sh -c 'while curl -s --max-time 5 10.96.1.176; [ $? != 7 ]; do sleep 0.2; done'");
    assertThat(refused.exit()).as("a Service without endpoints refuses").isZero();
  }

  @Test
  void everythingHappensInside() throws IOException {
    CommandRunner.Result up = fairlead("up", "--lab", "--timeout=120");
    IsolatedMachine.must(up);
    assertThat(up.output())
        .contains("✓ proxy", "✓ DNS", "✓ node agent", "Next: fairlead shell")
        .doesNotContain("is current");
    assertThat(home.resolve(".kube")).as("a context that leads nowhere outside").doesNotExist();
    Files.writeString(home.resolve("objects.yaml"), OBJECTS);
    String kubectl = IsolatedMachine.kubectl().orElseThrow();
    inside(kubectl + " apply -f " + home.resolve("objects.yaml"));
    String answer =
        inside(
            "timeout 150 sh -c 'until curl -sf --max-time 5 http://10.96.1.175/; do sleep 0.2; done'");
    assertThat(answer.strip()).isEqualTo("hostnames-0");
    firstCommands(kubectl);
    assertThat(
            inside("dig +short +time=20 @10.96.0.10 hostnames.default.svc.cluster.local").strip())
        .isEqualTo("10.96.1.175");
    inside(kubectl + " wait --for=condition=Ready pod/tools --timeout=120s");
    String data = home.resolve("data").toString();
    for (String pod : List.of("tools", "hostnames-0")) {
      assertThat(inside(kubectl + " exec " + pod + " -- sh -c 'hostname; ls " + data + "; :'"))
          .contains(pod + "\n", "No such file or directory");
    }
    CommandRunner.Result status = fairlead("status");
    IsolatedMachine.must(status);
    assertThat(status.output()).contains("✓ api", "✓ proxy", "✓ dns", "✓ agent");
    assertThat(inside("readlink /proc/self/ns/net").strip())
        .isNotEqualTo(Files.readSymbolicLink(Path.of("/proc/self/ns/net")).toString());
    CommandRunner.Result down = fairlead("down");
    IsolatedMachine.must(down);
    assertThat(down.output()).contains("✓ stopped", "✓ lab closed");
    assertThat(fairlead("shell", "true").output()).contains("(FL225)");
  }

  /// What a user sees of the network around the lab.
  private static String seen(NetworkNamespace network) {
    String script =
        """
        ip -o addr; ip route; ip -6 route; nft list ruleset; iptables-save
        cd /proc/sys/net; grep -r . ipv4/ip_forward ipv4/conf/*/rp_filter ipv6/conf/*/forwarding
        """;
    return CommandRunner.inside(network, LIMIT).run(script, List.of("sh")).output();
  }

  /// The program and kubectl where everybody can read them; the builder's home may be closed.
  private Path copied() throws IOException {
    String script = Files.readString(launcher);
    Path programs = Files.createDirectories(home.resolve("programs"));
    StringBuilder copying = new StringBuilder("set -e\n");
    Path ownClassPath = QuickBuild.shared().classPath();
    Path flags = Repository.root().resolve("bin/jvm");
    List<String> entries = new ArrayList<>();
    for (String entry : Files.readString(ownClassPath).split(":")) {
      Path copy = programs.resolve(entries.size() + "-" + Path.of(entry).getFileName());
      copying.append("if [ -e '%1$s' ]; then cp -rL '%1$s' '%2$s'; fi\n".formatted(entry, copy));
      entries.add(copy.toString());
    }
    copying.append(
        "cp -L '%s' '%s'\n".formatted(IsolatedMachine.kubectl().orElseThrow(), kubectl()));
    Path classPath = Files.writeString(programs.resolve("classpath"), String.join(":", entries));
    copying.append("cp -L '%s' '%s'\n".formatted(flags, programs.resolve("jvm")));
    Files.writeString(
        launcher,
        script
            .replace(ownClassPath.toString(), classPath.toString())
            .replace(flags.toString(), programs.resolve("jvm").toString())
            // The caches fit the class path they were made with.
            .replaceFirst("(?m)^caches=.*$", "caches=/nowhere"));
    copying.append(
        "chmod -R a+rX '%1$s'; chown -R %2$s:%2$s '%1$s'\n".formatted(home, OrdinaryUser.ID));
    IsolatedMachine.must(CommandRunner.here(LIMIT).run(copying.toString(), List.of("sh")));
    return launcher;
  }

  private Path kubectl() {
    return home.resolve("programs").resolve("kubectl");
  }

  @Test
  void n76AHundredPodsOfSomebodyWhoIsNotRoot() throws IOException {
    NetworkNamespace network =
        NetworkNamespace.create("rootless-" + UUID.randomUUID().toString().substring(0, 8));
    machine = network;
    List<String> nobody = new ArrayList<>(List.of("nsenter", "--net=" + network.path(), "--"));
    nobody.addAll(OrdinaryUser.command());
    List<String> trial = new ArrayList<>(nobody);
    trial.addAll(List.of("unshare", "--user", "--map-root-user", "--net", "true"));
    assumeThat(CommandRunner.here(LIMIT).run("", trial).exit())
        .as("users may make namespaces")
        .isZero();
    launcher = copied();
    around = nobody;
    String before = seen(network);
    IsolatedMachine.must(
        fairlead("up", "--lab", "--kubeconfig=" + home.resolve("kubeconfig"), "--timeout=120"));
    Files.writeString(home.resolve("objects.yaml"), HUNDRED);
    inside(kubectl() + " apply -f " + home.resolve("objects.yaml"));
    inside(kubectl() + " rollout status deployment/many --timeout=150s");
    String answered =
        inside(
            kubectl()
                + " get pods -o jsonpath='{range .items[*]}{.metadata.name} {.status.podIP}{\"\\n\"}{end}'"
                + " | while read -r name address; do"
                + " [ \"$(curl -s --max-time 20 http://$address:9376/)\" = \"$name\" ] && echo $name;"
                + " done | sort -u | wc -l");
    assertThat(answered.strip()).isEqualTo("100");
    assertThat(inside("cat /proc/self/uid_map").strip().split("\\s+"))
        .as("root inside, nobody outside")
        .containsExactly("0", OrdinaryUser.ID, "1");
    assertThat(seen(network)).as("while it runs").isEqualTo(before);
    IsolatedMachine.must(fairlead("down"));
    assertThat(seen(network)).isEqualTo(before);
    cleanupIsForRoot();
  }

  /// What cannot be seen would pass for what is not there.
  private void cleanupIsForRoot() throws IOException {
    Path closed = Files.createDirectory(home.resolve("of-root"));
    Files.setPosixFilePermissions(closed, PosixFilePermissions.fromString("rwx------"));
    refused(4, "(FL230)", "sudo fairlead agent --cleanup", "agent", "--cleanup");
    refused(4, "(FL230)", "sudo fairlead proxy --cleanup", "proxy", "--cleanup");
    String directory = "--data-dir=" + closed;
    refused(1, "(FL232)", "sudo fairlead down --data-dir " + closed, "down", directory);
    String kubeconfig = "--kubeconfig=" + closed.resolve("config");
    directory = "--data-dir=" + home.resolve("more");
    refused(1, "(FL209)", closed + " is not writable", "up", directory, kubeconfig);
  }

  private void refused(int exit, String code, String said, String... words) {
    List<String> command = new ArrayList<>(around);
    command.add(launcher.toString());
    command.addAll(List.of(words));
    CommandRunner.Result result = CommandRunner.here(LIMIT).run("", command);
    assertThat(result.exit()).as(result.error()).isEqualTo(exit);
    assertThat(result.error()).contains(code, said);
  }
}
