package io.fairlead.app.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// What the command line answers to all sorts of words, without starting anything.
class CommandLineTest {

  /// @param says a piece of standard output (exit 0) or standard error (else)
  record Row(String name, int exit, String says, Map<String, String> environment, String... words) {
    @Override
    public String toString() {
      return name;
    }
  }

  private static Row row(String name, int exit, String says, String... words) {
    return new Row(name, exit, says, Map.of(), words);
  }

  static Stream<Row> rows() {
    return Stream.of(
        row("no words: overview", 0, "Usage:"),
        row("--help", 0, "Verbs:", "--help"),
        row("-h", 0, "Verbs:", "-h"),
        row("--version", 0, "Fairlead 0.", "--version"),
        row("version", 0, "Kubernetes 1.36", "version"),
        row("version -o json", 0, "\"kind\" : \"Version\"", "version", "-o", "json"),
        row("version -o yaml", 0, "kind: \"Version\"", "version", "-o", "yaml"),
        row("version --output=json", 0, "cli.fairlead.dev/v1", "version", "--output=json"),
        row("verb --help", 0, "--purge", "down", "--help"),
        row("verb --help among flags", 0, "--purge", "down", "--purge", "--help"),
        row("help of a verb", 0, "--data-dir DIR", "help", "status"),
        row("help of a code", 0, "TLS port", "help", "FL202"),
        row("help of a code, small letters", 0, "TLS port", "help", "fl202"),
        row("unknown help topic", 2, "(FL306)", "help", "FL999"),
        row("unknown verb: nearest", 2, "did you mean `fairlead status`", "satus"),
        row("unknown verb, nothing near", 2, "next: all verbs: fairlead --help", "xyzzy"),
        row("verb of kubectl", 2, "kubectl scale", "scale"),
        row("unknown flag: nearest", 2, "did you mean --data-dir", "status", "--data-dri", "x"),
        row("unknown flag with value", 2, "unknown flag --foo (", "status", "--foo=bar"),
        row("dns-server: flags with one dash", 0, "dns.kubernetes", "dns-server", "-plugins"),
        row("dns-server: version", 0, "Fairlead-0.", "dns-server", "-version"),
        row(
            "dns-server: no such Corefile",
            1,
            "cannot be read: there is no such file",
            "dns-server",
            "-check",
            "-conf",
            "/nonexistent/Corefile"),
        row("dns-server: unknown flag", 2, "did you mean --conf", "dns-server", "-config", "x"),
        row("single dash is no long flag", 2, "(FL301)", "status", "-data-dir=x"),
        row("flag without value at the end", 2, "--data-dir has no value", "status", "--data-dir"),
        row("flag without value before a flag", 2, "(FL302)", "down", "--data-dir", "--purge"),
        row("value not among the choices", 2, "expected: json, yaml", "version", "-o", "xml"),
        row("port too large", 2, "bad value for --api-port", "doctor", "--api-port", "65536"),
        row("port no number", 2, "(FL303)", "doctor", "--api-port=http"),
        row("negative number", 2, "(FL303)", "doctor", "--api-port=-1"),
        row("empty value", 2, "(FL303)", "status", "--data-dir="),
        row("switch with nonsense", 2, "(FL303)", "down", "--purge=maybe"),
        row(
            "unknown controller",
            2,
            "bad value for --controllers: \"nosuch\"",
            "controllers",
            "--controllers=*,nosuch"),
        row(
            "lease shorter than its renewal",
            2,
            "longer than 1.2 times the retry period",
            "controllers",
            "--leader-elect-lease-duration=5s"),
        row("bad duration", 2, "(FL303)", "controllers", "--leader-elect-retry-period=soon"),
        row("too large slices", 2, "1-1000", "controllers", "--max-endpoints-per-slice=1001"),
        row("no workers", 2, "1-100000", "controllers", "--concurrent-endpoint-syncs=0"),
        row(
            "certificate without key",
            2,
            "(FL305)",
            "controllers",
            "--tls-cert-file=/proc/version"),
        row("controllers without a cluster", 1, "(FL209)", "controllers"),
        row("controllers: help of its own", 0, "the API to work on", "controllers", "--help"),
        row("operand too many", 2, "unexpected word \"now\"", "down", "now"),
        row("operand missing", 2, "bash, zsh, fish", "completion"),
        row("mode that is none", 2, "expected: iptables, ipvs, nftables", "mode", "fast"),
        row("rules of nothing", 2, "expected: svc/NAME", "rules"),
        row("operand missing, and no cluster either", 2, "expected: pod/NAME", "env", "-n", "x"),
        row("explain of nothing", 2, "(FL308)", "explain"),
        row("verb of kubectl", 2, "that is a verb of kubectl: `kubectl get pods`", "get", "pods"),
        row("flag in the place of a verb", 2, "did you mean `fairlead --version`?", "--vesion"),
        row(
            "context that is not there",
            1,
            "context \"staging\" is not usable",
            "env",
            "pod/a",
            "--context=staging"),
        row("kube-proxy knows no context", 2, "(FL301)", "proxy", "--context=staging"),
        row("unknown shell", 2, "(FL303)", "completion", "tcsh"),
        row("completion bash", 0, "complete -F _fairlead fairlead", "completion", "bash"),
        row("completion zsh", 0, "#compdef fairlead", "completion", "zsh"),
        row("completion fish", 0, "complete -c fairlead", "completion", "fish"),
        new Row(
            "environment sets a flag",
            0,
            "kind: \"Version\"",
            Map.of("FAIRLEAD_OUTPUT", "yaml"),
            "version"),
        new Row(
            "the command line beats the environment",
            0,
            "\"kind\"",
            Map.of("FAIRLEAD_OUTPUT", "yaml"),
            "version",
            "-o",
            "json"),
        new Row(
            "a bad environment value names the variable",
            2,
            "bad value for FAIRLEAD_OUTPUT",
            Map.of("FAIRLEAD_OUTPUT", "xml"),
            "version"),
        new Row("Chinese help", 0, "用法：", Map.of("FAIRLEAD_LANG", "zh_CN"), "--help"),
        new Row("Chinese error", 2, "错误：", Map.of("LANG", "zh_CN.UTF-8"), "frobnicate"));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("rows")
  @Provokes({
    ErrorCode.FL218,
    ErrorCode.FL300,
    ErrorCode.FL301,
    ErrorCode.FL302,
    ErrorCode.FL303,
    ErrorCode.FL306,
    ErrorCode.FL307,
    ErrorCode.FL308
  })
  void answers(Row row) {
    CommandLineHarness harness = new CommandLineHarness();
    row.environment().forEach(harness::with);
    var result = harness.run(row.words());
    assertThat(result.exit()).as(result.err()).isEqualTo(row.exit());
    assertThat(row.exit() == 0 ? result.out() : result.err()).contains(row.says());
    assertThat(row.exit() == 0 ? result.err() : result.out()).isEmpty();
    assertThat(result.out() + result.err()).doesNotContain("null");
  }

  @Test
  void everyErrorHasThreeLines() {
    var result = new CommandLineHarness().run("satus");
    assertThat(result.err().lines())
        .containsExactly(
            "error: unknown verb \"satus\" (FL300)",
            "  why:  fairlead has no verb of that name",
            "  next: did you mean `fairlead status`? All verbs: fairlead --help");
  }

  @Test
  void nothingIsProposedWhenNoNameIsNear() {
    assertThat(new CommandLineHarness().run("frobnicate").err())
        .endsWith("  next: all verbs: fairlead --help\n");
    assertThat(new CommandLineHarness().run("status", "--frobnicate").err())
        .endsWith("  next: all flags: fairlead status --help\n");
  }

  @Test
  void everyVerbIsRunnableAndExplained() {
    assertThat(Grammar.verbNames()).doesNotHaveDuplicates();
    for (Verb verb : Grammar.VERBS) {
      var result = new CommandLineHarness().run(verb.name(), "--help");
      assertThat(result.exit()).isZero();
      verb.allFlags().forEach(flag -> assertThat(result.out()).contains("-" + flag.name()));
    }
  }

  @Test
  void everyCodeHasAHelpPage() {
    for (ErrorCode code : ErrorCode.values()) {
      assertThat(new CommandLineHarness().run("help", code.name()).out()).startsWith(code.name());
    }
  }

  /// The fault itself is found by the API server, whose tests provoke the warning that names it.
  @Test
  @Provokes(ErrorCode.FL102)
  void aFaultThatTheServerNamesIsExplainedHere() {
    var result = new CommandLineHarness().run("help", "FL102");
    assertThat(result.exit()).isZero();
    assertThat(result.out()).contains("labels", "kubectl get pods --show-labels");
  }

  /// The policy component and the API server name these; their tests provoke them.
  @Test
  @Provokes({
    ErrorCode.FL160,
    ErrorCode.FL164,
    ErrorCode.FL400,
    ErrorCode.FL401,
    ErrorCode.FL402,
    ErrorCode.FL404,
    ErrorCode.FL405,
    ErrorCode.FL406,
    ErrorCode.FL408,
    ErrorCode.FL165,
    ErrorCode.FL166,
    ErrorCode.FL168,
    ErrorCode.FL167,
    ErrorCode.FL169
  })
  void whatPoliciesDoIsExplainedHere() {
    for (String code :
        List.of(
            "FL400", "FL401", "FL402", "FL403", "FL404", "FL405", "FL406", "FL407", "FL408",
            "FL160", "FL164", "FL165", "FL166", "FL167", "FL168", "FL169")) {
      var result = new CommandLineHarness().run("help", code);
      assertThat(result.exit()).isZero();
      assertThat(result.out()).startsWith(code);
    }
  }

  @Test
  void calledByKubectlItSaysSo() {
    var harness = new CommandLineHarness().property("fairlead.called", "kubectl-fairlead");
    assertThat(harness.run("--help").out()).contains("kubectl fairlead VERB");
  }

  @Test
  void bashCompletionIsValidBash() throws Exception {
    String script = new CommandLineHarness().run("completion", "bash").out();
    Process bash =
        new ProcessBuilder(
                "bash",
                "-c",
                script
                    + "\n"
                    + "COMP_WORDS=(fairlead sta); COMP_CWORD=1; _fairlead; echo ${COMPREPLY[@]}\n"
                    + "COMP_WORDS=(fairlead status -o ''); COMP_CWORD=3; _fairlead; echo"
                    + " ${COMPREPLY[@]}")
            .redirectErrorStream(true)
            .start();
    String said =
        new String(bash.getInputStream().readAllBytes(), java.nio.charset.StandardCharsets.UTF_8);
    assertThat(said.lines()).containsExactlyElementsOf(List.of("status", "json yaml"));
  }

  @Test
  @Provokes(ErrorCode.FL299)
  void anUnexpectedExceptionIsSaidWithoutItsTrace() {
    CommandDispatcher broken =
        new CommandDispatcher(
            Map.of(
                "version",
                () ->
                    (_, _) -> {
                      throw new IllegalStateException("the cable is cut");
                    }));
    CommandLineHarness.Result brief = new CommandLineHarness().run(broken, "version");
    assertThat(brief.exit()).isEqualTo(ExitCode.COULD_NOT);
    assertThat(brief.err()).contains("(FL299)", "the cable is cut").doesNotContain("\tat ");
    assertThat(new CommandLineHarness().run(broken, "version", "-v=6").err()).contains("\tat ");
  }
}
