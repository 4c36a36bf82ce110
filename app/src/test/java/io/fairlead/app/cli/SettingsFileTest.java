package io.fairlead.app.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.fairlead.app.text.Language;
import io.fairlead.app.text.MessageCatalog;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SettingsFileTest {
  @TempDir Path directory;

  private Path file(String text) throws IOException {
    return Files.writeString(directory.resolve("fairlead.yaml"), text);
  }

  private static Arguments parse(Path file, Map<String, String> environment, String... words) {
    List<String> line = new java.util.ArrayList<>(List.of("--config=" + file));
    line.addAll(List.of(words));
    return new ArgumentParser(environment).parse(Grammar.UP, line);
  }

  @Test
  void flagWinsOverEnvironmentOverFileOverDefault() throws IOException {
    Path file =
        file(
            """
            # the machine under my desk
            apiVersion: fairlead.dev/v1
            kind: Configuration
            api-port: 7443
            agent: off
            dns: on
            proxy-mode: iptables
            service-cidr: [10.0.0.0/16, "fd00::/112"]
            timeout: 90
            """);
    Arguments arguments =
        parse(file, Map.of("FAIRLEAD_PROXY_MODE", "nftables"), "--timeout=30", "--api-port=8443");
    assertThat(arguments.number("api-port")).isEqualTo(8443);
    assertThat(arguments.text("proxy-mode")).isEqualTo("nftables");
    assertThat(arguments.text("agent")).isEqualTo("off");
    assertThat(arguments.text("dns")).isEqualTo("on");
    assertThat(arguments.list("service-cidr")).containsExactly("10.0.0.0/16", "fd00::/112");
    assertThat(arguments.text("bind-address")).isEqualTo("127.0.0.1");
    assertThat(arguments.number("timeout")).isEqualTo(30);
  }

  @Test
  void anEmptyFileSaysNothing() throws IOException {
    assertThat(parse(file("# nothing\n"), Map.of()).number("api-port")).isEqualTo(6443);
  }

  @Test
  @Provokes(ErrorCode.FL310)
  void anUnknownKeyIsNamedWithItsLineAndTheNearestOne() throws IOException {
    Path file = file("agent: on\n\nproxy-mod: iptables\n");
    FairleadException problem =
        catchThrowableOfType(FairleadException.class, () -> parse(file, Map.of()));
    assertThat(problem.code()).isEqualTo(ErrorCode.FL310);
    assertThat(problem.render(MessageCatalog.of(Language.EN)))
        .contains(file.toString(), "proxy-mod", "line 3", "proxy-mode");
  }

  @Test
  void whatIsNoYamlOrNoObjectIsSaid() throws IOException {
    Path list = file("- a\n- b\n");
    assertThat(catchThrowableOfType(FairleadException.class, () -> parse(list, Map.of())).code())
        .isEqualTo(ErrorCode.FL310);
    Path torn = file("agent: [on\n");
    assertThat(catchThrowableOfType(FairleadException.class, () -> parse(torn, Map.of())).code())
        .isEqualTo(ErrorCode.FL310);
  }

  @Test
  void aBadValueNamesTheFile() throws IOException {
    Path file = file("api-port: many\n");
    FairleadException problem =
        catchThrowableOfType(FairleadException.class, () -> parse(file, Map.of()));
    assertThat(problem.code()).isEqualTo(ErrorCode.FL303);
    assertThat(problem.render(MessageCatalog.of(Language.EN)))
        .contains(file + ": api-port", "many");
  }
}
