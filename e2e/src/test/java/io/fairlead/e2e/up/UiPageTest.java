package io.fairlead.e2e.up;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.fairlead.api.json.Json;
import io.fairlead.kernel.process.CommandRunner;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
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

  @TestFactory
  List<DynamicTest> inABrowser() throws IOException {
    Optional<String> chromium = CommandRunner.find("chromium");
    assumeTrue(chromium.isPresent(), "no Chromium here");
    assumeTrue(IsolatedMachine.kubectl().isPresent(), "no kubectl here");
    Path shots = Files.createDirectories(directory.resolve("shots"));
    try (IsolatedMachine machine = new IsolatedMachine(directory, true)) {
      IsolatedMachine.must(machine.up("--proxy-mode=nftables"));
      try {
        new Hostnames(machine).apply();
        IsolatedMachine.must(machine.kubectl(MORE, "apply", "-f", "-"));
        IsolatedMachine.must(
            machine.kubectl("", "rollout", "status", "deployment/hostnames", "--timeout=60s"));
        IsolatedMachine.must(
            machine.kubectl("", "wait", "--for=condition=Ready", "pod/client-0", "--timeout=60s"));
        return results(machine, chromium.get(), shots);
      } finally {
        CommandRunner.Result _ = machine.fairlead("down", "--data-dir=" + machine.data());
      }
    }
  }

  private static List<DynamicTest> results(IsolatedMachine machine, String chromium, Path shots)
      throws IOException {
    ObjectNode config = Json.object().put("chromium", chromium).put("out", shots.toString());
    String link =
        machine.fairlead("ui", "--kubeconfig=" + machine.kubeconfig(), "-o", "json").output();
    config
        .putArray("links")
        .add(Json.textOr(Json.parseObject(link.getBytes(StandardCharsets.UTF_8)), "", "url"));
    config
        .putArray("kubectl")
        .add(IsolatedMachine.kubectl().orElseThrow())
        .add("--kubeconfig=" + machine.kubeconfig())
        .add("--cache-dir=" + directory.resolve("cache"));
    Path file = directory.resolve("config.json");
    Files.write(file, Json.bytes(config));
    CommandRunner.Result looked =
        machine.run(
            "", "env", "HOME=" + directory, "node", WEB + "/browser/page.mjs", file.toString());
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
