package io.fairlead.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.app.cli.ErrorCode;
import io.fairlead.app.cli.Provokes;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/// The scripts in front of the program, with tools taken away from them.
class LauncherScriptTest {
  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
  private static final List<String> TOOLS =
      List.of("bash", "dirname", "readlink", "grep", "basename", "mkdir", "flock", "find", "cat");

  @TempDir Path temporary;

  private record Result(int exit, String said) {}

  @Test
  @Provokes(ErrorCode.FL200)
  void withoutAJdkItSaysWhatToInstall() throws Exception {
    // The same script, looking at directories that are empty.
    String script =
        Files.readString(ROOT.resolve("bin/find-jdk"))
            .replace("/usr/lib/jvm", temporary + "/jvm")
            .replace("/opt/", temporary + "/opt/");
    Path copy = Files.writeString(temporary.resolve("find-jdk"), script);
    Result result = run(tools(), "bash", copy.toString());
    assertThat(result.exit()).isEqualTo(4);
    assertThat(result.said()).contains("error: no JDK 25 found (FL200)", "next: install a JDK 25");
  }

  @Test
  void anOlderJdkIsNotTaken() throws Exception {
    Path old = temporary.resolve("jdk17");
    Files.createDirectories(old.resolve("bin"));
    Files.writeString(old.resolve("release"), "JAVA_VERSION=\"17.0.1\"\n");
    Path javac = Files.writeString(old.resolve("bin/javac"), "#!/bin/sh\n");
    assertThat(javac.toFile().setExecutable(true)).isTrue();
    Map<String, String> environment = new java.util.HashMap<>(tools());
    environment.put("JAVA_HOME", old.toString());
    Result result = run(environment, ROOT.resolve("bin/find-jdk").toString());
    assertThat(result.said()).doesNotContain(old.toString());
  }

  @Test
  @Provokes(ErrorCode.FL211)
  void withoutMavenItSaysWhatToInstall() throws Exception {
    Result result =
        run(
            tools(),
            "bash",
            ROOT.resolve("bin/build").toString(),
            temporary.resolve("t").toString());
    assertThat(result.exit()).isEqualTo(4);
    assertThat(result.said()).contains("Maven is not installed (FL211)", "apt-get install maven");
  }

  /// @param says the cache and a flag that only this sort of process has
  record Flags(String name, String calledAs, String words, String says) {
    @Override
    public String toString() {
      return name;
    }
  }

  static Stream<Flags> flags() {
    return Stream.of(
        new Flags("a short command", "fairlead", "status", "commands .*-XX:TieredStopAtLevel=1 "),
        new Flags("up in front", "fairlead", "up --lab", "commands .*-XX:TieredStopAtLevel=1 "),
        new Flags("up that stays", "fairlead", "up --foreground", "server .*-XX:MaxInlineLevel="),
        new Flags("API server", "fairlead", "apiserver", "server .*-XX:Tier4InvocationThreshold="),
        new Flags("DNS server", "fairlead", "dns-server", "dns .*-Xmn3m "),
        new Flags("by CoreDNS's name", "coredns", "-conf x", "dns .*-Xmn3m "),
        new Flags("proxy", "fairlead", "proxy", "proxy .*-Xmn12m .*-XX:-ShrinkHeapInSteps "),
        new Flags("by kube-proxy's name", "kube-proxy", "--v=2", "proxy .*-Xmn12m "),
        new Flags(
            "a proxy that carries traffic",
            "fairlead",
            "proxy --proxy-mode=userspace",
            "proxy .*-Xmn12m .*-XX:[+]TieredCompilation "),
        new Flags("agent", "fairlead", "agent", "node .*-XX:TieredStopAtLevel=1 "));
  }

  /// Both launchers take them from one file, which any shell reads.
  @ParameterizedTest(name = "{0}")
  @MethodSource("flags")
  void eachSortOfProcessHasItsCacheAndFlags(Flags row) throws Exception {
    String script = "set -eu; called_as=" + row.calledAs() + "; . \"$0\"; echo \"$cache $jvm \"";
    List<String> command =
        new ArrayList<>(List.of("/bin/sh", "-c", script, ROOT.resolve("bin/jvm").toString()));
    command.addAll(List.of(row.words().split(" ")));
    Result result = run(tools(), command.toArray(String[]::new));
    assertThat(result.exit()).as(result.said()).isZero();
    assertThat(result.said()).containsPattern("^" + row.says());
    for (String launcher : List.of("fairlead", "bin/fairlead-dist")) {
      assertThat(Files.readString(ROOT.resolve(launcher)))
          .contains("/jvm\"\n")
          .contains("\n$jvm ")
          .contains("\"-Dfairlead.jvm=$instance\"");
    }
  }

  /// Class path and flags are not among the words of the process: a home with a blank, and a
  /// program in the place of the JVM that prints what it is given.
  @ParameterizedTest
  @ValueSource(
      strings = {
        "up --foreground",
        "proxy --proxy-mode=nftables",
        "dns-server -conf /etc/coredns/Corefile"
      })
  void theProcessListShowsTheProgramAndItsWords(String words) throws Exception {
    Path home = temporary.resolve("a home");
    Path runtime = Files.createDirectories(home.resolve("runtime/bin"));
    Path launcher = Files.createDirectories(home.resolve("bin")).resolve("fairlead");
    Path lib = Files.createDirectories(home.resolve("lib"));
    Files.copy(ROOT.resolve("bin/fairlead-dist"), launcher);
    Files.copy(ROOT.resolve("bin/jvm"), lib.resolve("jvm"));
    Files.writeString(lib.resolve("classpath"), "app.jar\nother.jar\n");
    Path program =
        Files.writeString(
            runtime.resolve("fairlead"),
            "#!/bin/sh\nprintf '%s\\n' \"$0 $*\" \"$CLASSPATH\"\ncat /proc/self/fd/3\n");
    assertThat(program.toFile().setExecutable(true)).isTrue();
    List<String> command = new ArrayList<>(List.of("/bin/sh", launcher.toString()));
    command.addAll(List.of(words.split(" ")));
    Result result = run(tools(), command.toArray(String[]::new));
    assertThat(result.exit()).as(result.said()).isZero();
    List<String> lines = result.said().lines().toList();
    assertThat(lines.get(0)).isEqualTo(program + " @/proc/self/fd/3 " + words);
    assertThat(lines.get(1)).isEqualTo(lib.resolve("app.jar") + ":" + lib.resolve("other.jar"));
    assertThat(result.said()).contains("\"-Dfairlead.home=" + home + "\"", " -XX:+UseSerialGC ");
    assertThat(lines.getLast()).isEqualTo("io.fairlead.app.command.Main");
  }

  /// A PATH with only the tools the scripts need.
  private Map<String, String> tools() throws IOException {
    Path bin = Files.createDirectories(temporary.resolve("bin"));
    for (String tool : TOOLS) {
      Path link = bin.resolve(tool);
      if (!Files.exists(link)) {
        Files.createSymbolicLink(link, Path.of("/usr/bin", tool));
      }
    }
    return Map.of("PATH", bin.toString());
  }

  private static Result run(Map<String, String> environment, String... command)
      throws IOException, InterruptedException {
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().clear();
    builder.environment().putAll(environment);
    Process process = builder.start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return new Result(process.waitFor(), said);
  }
}
