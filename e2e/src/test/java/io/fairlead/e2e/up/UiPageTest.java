package io.fairlead.e2e.up;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.fairlead.api.json.Json;
import io.fairlead.kernel.process.CommandRunner;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.node.ObjectNode;

/// The web page in a real browser against a real `up`, and its own tests. Needs Node, whose
/// packages are fetched where `./dev ui` has not done so yet.
@Tag("system")
class UiPageTest {
  private static final Path WEB = Path.of("..", "ui", "web").toAbsolutePath().normalize();
  private static final Path BUILT =
      WEB.resolve("../src/main/resources/io/fairlead/ui/web").normalize();

  /// A directory for pictures of the main pages, which the documentation shows; none are made
  /// without it.
  private static final String IMAGES = "fairlead.ui.images";

  private static final Duration BROWSER = Duration.ofMinutes(8);

  private static final String MORE =
      """
      apiVersion: v1
      kind: Pod
      metadata: {name: client-0}
      spec: {containers: [{name: client, image: fairlead.dev/shell}]}
      ---
      apiVersion: v1
      kind: Service
      metadata: {name: hostnames-headless}
      spec: {clusterIP: None, selector: {app: hostnames}, ports: [{port: 9376}]}
      ---
      apiVersion: v1
      kind: Service
      metadata: {name: probed}
      spec: {selector: {app: probed}, ports: [{port: 80, targetPort: 9376}]}
      ---
      apiVersion: v1
      kind: Namespace
      metadata: {name: shop}
      ---
      apiVersion: v1
      kind: ServiceAccount
      metadata: {name: viewer, namespace: shop}
      ---
      apiVersion: rbac.authorization.k8s.io/v1
      kind: RoleBinding
      metadata: {name: viewer, namespace: shop}
      roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: view}
      subjects: [{kind: ServiceAccount, name: viewer, namespace: shop}]
      ---
      apiVersion: v1
      kind: Service
      metadata: {name: web, namespace: shop}
      spec: {selector: {app: webb}, ports: [{port: 80, targetPort: 8080}]}
      """;

  /// What the pictures of the documentation show besides.
  private static final String SCENERY =
      """
      apiVersion: v1
      kind: Service
      metadata: {name: client-svc}
      spec: {type: ExternalName, externalName: db.example.com}
      ---
      apiVersion: v1
      kind: Pod
      metadata: {name: web-5c6d, namespace: shop, labels: {app: web}}
      spec: {containers: [{name: hostnames, image: fairlead.dev/hostnames}]}
      ---
      apiVersion: v1
      kind: Pod
      metadata: {name: hostnames-late, labels: {app: hostnames}}
      spec:
        readinessGates: [{conditionType: example.com/open}]
        containers: [{name: hostnames, image: fairlead.dev/hostnames}]
      """;

  @TempDir static Path directory;

  @BeforeAll
  static void packages() {
    assumeTrue(
        CommandRunner.find("node").isPresent() && CommandRunner.find("npm").isPresent(),
        "no Node here");
    assumeTrue(
        run("exit $(node -p 'process.versions.node.split(\".\")[0] >= 20 ? 0 : 1')").succeeded(),
        "Node is older than 20");
    if (!Files.exists(WEB.resolve("node_modules/playwright-core/package.json"))
        || !Files.exists(WEB.resolve("node_modules/vitest/package.json"))) {
      CommandRunner.Result fetched =
          run("cd \"$1\" && npm ci --ignore-scripts --no-audit --no-fund 2>&1", WEB.toString());
      assumeTrue(fetched.succeeded(), "npm packages cannot be fetched");
    }
  }

  private static CommandRunner.Result run(String script, String... words) {
    List<String> command = new ArrayList<>(List.of("sh", "-c", script, "sh"));
    command.addAll(List.of(words));
    return CommandRunner.here(IsolatedMachine.LIMIT).run("", command);
  }

  @Test
  void itsOwnTestsPass() {
    CommandRunner.Result tests =
        run("cd \"$1\" && node_modules/.bin/vitest run 2>&1", WEB.toString());
    assertThat(tests.exit()).as(tests.output()).isZero();
  }

  @Test
  void vector45AnotherBuildGivesTheCommittedBytes() throws IOException {
    Path out = Files.createDirectories(directory.resolve("built"));
    CommandRunner.Result built =
        run("cd \"$1\" && UI_OUT=$2 node_modules/.bin/vite build 2>&1", WEB.toString(), "" + out);
    assertThat(built.exit()).as(built.output()).isZero();
    for (String name : List.of("index.html", "app.js", "app.css", "icon.svg")) {
      assertThat(Files.readAllBytes(out.resolve(name)))
          .as("run ./dev ui: %s", name)
          .isEqualTo(Files.readAllBytes(BUILT.resolve(name)));
    }
  }

  private static String chromium() {
    Optional<String> chromium =
        Optional.ofNullable(System.getenv("CHROMIUM")).or(() -> CommandRunner.find("chromium"));
    assumeTrue(chromium.isPresent(), "no Chromium here");
    return chromium.orElseThrow();
  }

  @TestFactory
  List<DynamicTest> statesInABrowser() throws IOException {
    Path file = directory.resolve("states.json");
    Files.write(file, Json.bytes(Json.object().put("chromium", chromium())));
    return results(
        CommandRunner.here(BROWSER)
            .run(
                "",
                List.of(
                    "env", "HOME=" + directory, "node", WEB + "/browser/states.mjs", "" + file)));
  }

  @TestFactory
  List<DynamicTest> inABrowser() throws IOException {
    String chromium = chromium();
    assumeTrue(IsolatedMachine.kubectl().isPresent(), "no kubectl here");
    try (IsolatedMachine machine = new IsolatedMachine(directory, true)) {
      IsolatedMachine.must(machine.up("--proxy-mode=nftables"));
      try {
        new Hostnames(machine).apply();
        IsolatedMachine.must(machine.kubectl(MORE, "apply", "-f", "-"));
        IsolatedMachine.must(
            machine.kubectl("", "rollout", "status", "deployment/hostnames", "--timeout=60s"));
        IsolatedMachine.must(
            machine.kubectl("", "wait", "--for=condition=Ready", "pod/client-0", "--timeout=60s"));
        Path file = config(machine, chromium);
        return results(
            CommandRunner.inside(machine.network(), BROWSER)
                .run(
                    "",
                    List.of(
                        "env", "HOME=" + directory, "node", WEB + "/browser/page.mjs", "" + file)));
      } finally {
        CommandRunner.Result _ = machine.fairlead("down", "--data-dir=" + machine.data());
      }
    }
  }

  private static Path config(IsolatedMachine machine, String chromium) throws IOException {
    String link =
        machine.fairlead("ui", "--kubeconfig=" + machine.kubeconfig(), "-o", "json").output();
    Path scenery = directory.resolve("scenery.yaml");
    Files.writeString(scenery, SCENERY);
    ObjectNode config =
        Json.object()
            .put("chromium", chromium)
            .put("kubeconfig", "" + machine.kubeconfig())
            .put("data", "" + machine.data())
            .put("viewer", "" + directory.resolve("viewer"))
            .put("more", "" + scenery)
            .put("images", System.getProperty(IMAGES, ""));
    config
        .putArray("links")
        .add(Json.textOr(Json.parseObject(link.getBytes(StandardCharsets.UTF_8)), "", "url"));
    config
        .putArray("kubectl")
        .add(IsolatedMachine.kubectl().orElseThrow())
        .add("--kubeconfig=" + machine.kubeconfig())
        .add("--cache-dir=" + directory.resolve("cache"));
    config
        .putArray("fairlead")
        .add("env")
        .add("KUBECONFIG=" + machine.kubeconfig())
        .add("HOME=" + directory)
        .add("LC_ALL=C.UTF-8")
        .add(machine.launcher().toString());
    Path file = directory.resolve("config.json");
    Files.write(file, Json.bytes(config));
    return file;
  }

  /// Each thing that a program in `browser` tried, as a test.
  private static List<DynamicTest> results(CommandRunner.Result looked) {
    List<DynamicTest> tests = new ArrayList<>();
    for (String line : looked.output().lines().toList()) {
      if (line.startsWith("{\"name\"")) {
        ObjectNode one = Json.parseObject(line.getBytes(StandardCharsets.UTF_8));
        tests.add(
            DynamicTest.dynamicTest(
                Json.textOr(one, "", "name"),
                () ->
                    assertThat(one.path("ok").asBoolean(false))
                        .as(Json.textOr(one, "", "note"))
                        .isTrue()));
      }
    }
    tests.add(
        DynamicTest.dynamicTest(
            "the browser ran to its end",
            () -> assertThat(looked.exit()).as(looked.output() + looked.error()).isZero()));
    return tests;
  }
}
