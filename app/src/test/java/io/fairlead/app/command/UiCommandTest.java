package io.fairlead.app.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.json.Json;
import io.fairlead.app.Fairlead;
import io.fairlead.app.Options;
import io.fairlead.app.Progress;
import io.fairlead.app.StandardComponentFactory;
import io.fairlead.app.cli.CommandLineHarness;
import io.fairlead.app.cli.ErrorCode;
import io.fairlead.app.cli.ExitCode;
import io.fairlead.app.cli.Provokes;
import io.fairlead.app.instance.UserKubeconfigContext;
import io.fairlead.client.kubeconfig.KubeconfigEntry;
import io.fairlead.server.ApiServerConfig;
import io.fairlead.ui.UiOptions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.node.ObjectNode;

/// The page of a real API server inside this process, and how a user gets to it.
@Tag("system")
class UiCommandTest {
  @TempDir Path directory;

  private Fairlead start(Optional<UiOptions> ui) {
    return start(directory, ui);
  }

  /// Everything but a node, with that page and a kubeconfig of its administrator.
  static Fairlead start(Path directory, Optional<UiOptions> ui) {
    Options options =
        new Options(
            directory,
            ApiServerConfig.defaults(directory.resolve("pki")).change().securePort(0).build(),
            Optional.empty(),
            false,
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Options.defaults(directory).nodes(),
            Optional.empty(),
            Options.LoadBalancing.STANDARD,
            ui);
    Fairlead fairlead =
        Fairlead.start(
            options,
            new StandardComponentFactory(new ServedCommands(Main::shell)),
            Progress.SILENT);
    try {
      UserKubeconfigContext.write(
          directory.resolve("kubeconfig"),
          KubeconfigEntry.ofAdministrator(
              UserKubeconfigContext.NAME, URI.create(fairlead.url()), options.server().pki()),
          Map.of());
    } catch (IOException e) {
      fairlead.close();
      throw new UncheckedIOException(e);
    }
    return fairlead;
  }

  private CommandLineHarness.Result ui(String... more) {
    String[] words = new String[more.length + 3];
    words[0] = "ui";
    words[1] = "--kubeconfig";
    words[2] = directory.resolve("kubeconfig").toString();
    System.arraycopy(more, 0, words, 3, more.length);
    return new CommandLineHarness().run(words);
  }

  @Test
  void theLinkLetsItsUserIn() throws IOException {
    try (Fairlead _ = start(Optional.of(new UiOptions(0, false)))) {
      var answer = ui("-o", "json");
      assertThat(answer.exit()).as(answer.err()).isZero();
      ObjectNode link = Json.parseObject(answer.out().getBytes(StandardCharsets.UTF_8));
      assertThat(Json.textOr(link, "", "kind")).isEqualTo("UiLink");
      String url = Json.textOr(link, "", "url");
      ObjectNode session =
          post(
              URI.create(url.substring(0, url.indexOf('#')) + "login").toURL(),
              Json.object().put("code", url.substring(url.indexOf("#login=") + 7)));
      assertThat(Json.textOr(session, "", "user")).isEqualTo("system:admin");
      assertThat(session.path("rights").path("trace").asBoolean()).isTrue();
      assertThat(ui().out()).contains("Open http://127.0.0.1:", "read only");
      assertThat(ui("--end-all").exit()).isZero();
    }
  }

  private static ObjectNode post(URL url, ObjectNode body) throws IOException {
    HttpURLConnection connection = (HttpURLConnection) url.openConnection();
    connection.setRequestMethod("POST");
    connection.setRequestProperty("Content-Type", "application/json");
    connection.setDoOutput(true);
    connection.getOutputStream().write(Json.bytes(body));
    assertThat(connection.getResponseCode()).isEqualTo(200);
    return Json.parseObject(connection.getInputStream().readAllBytes());
  }

  @Test
  @Provokes(ErrorCode.FL229)
  void vector47AnApiWithoutAPageSaysWhatToDo() {
    try (Fairlead _ = start(Optional.empty())) {
      var answer = ui();
      assertThat(answer.exit()).isEqualTo(ExitCode.COULD_NOT);
      assertThat(answer.err()).contains("FL229", "fairlead ui --serve");
    }
  }
}
