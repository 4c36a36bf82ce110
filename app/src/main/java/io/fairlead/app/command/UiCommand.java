package io.fairlead.app.command;

import io.fairlead.api.json.Json;
import io.fairlead.api.status.ApiException;
import io.fairlead.api.yaml.Yaml;
import io.fairlead.app.cli.Arguments;
import io.fairlead.app.cli.Command;
import io.fairlead.app.cli.CommandContext;
import io.fairlead.app.cli.ErrorCode;
import io.fairlead.app.cli.ExitCode;
import io.fairlead.app.cli.FairleadException;
import io.fairlead.app.logging.Logging;
import io.fairlead.app.ui.PageHost;
import io.fairlead.app.ui.ServedPage;
import io.fairlead.client.ApiErrors;
import io.fairlead.client.Client;
import io.fairlead.client.ClientConfig;
import io.fairlead.client.ResourceType;
import io.fairlead.client.transport.ApiRequest;
import io.fairlead.client.transport.ConnectionException;
import io.fairlead.client.transport.HttpTransport;
import io.fairlead.client.transport.SocketTransport;
import io.fairlead.ui.UiLink;
import io.fairlead.ui.UiOptions;
import io.fairlead.ui.UiServer;
import io.fairlead.ui.UiUser;
import java.io.IOException;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.CountDownLatch;
import tools.jackson.databind.node.ObjectNode;

/// `fairlead ui`: a link that lets one browser in, from the API server that serves the page or from
/// this process.
final class UiCommand implements Command {
  private static final ResourceType WHO =
      new ResourceType(
          "authentication.k8s.io", "v1", "selfsubjectreviews", "SelfSubjectReview", false);

  @Override
  public int run(Arguments arguments, CommandContext context) {
    Logging.off();
    ClientConfig connection =
        ClientConfigLoader.find(arguments, context, arguments.path("kubeconfig"));
    try (Client client = new Client(new SocketTransport(connection, "fairlead-ui"))) {
      if (arguments.on("serve")) {
        return serve(arguments, context, connection, client);
      }
      if (arguments.on("end-all")) {
        ObjectNode _ =
            client
                .raw(ApiRequest.with("DELETE", ServedPage.LOGINS, Map.of(), Json.object()))
                .object();
        context.terminal().err().println(context.text("ui.ended"));
        return ExitCode.FINE;
      }
      ObjectNode body = Json.object();
      String caller = context.environment().getOrDefault("SUDO_UID", "");
      if (caller.matches("\\d{1,9}")) {
        body.put("uid", Integer.parseInt(caller));
      }
      ObjectNode link =
          client.raw(ApiRequest.with("POST", ServedPage.LOGINS, Map.of(), body)).object();
      show(
          arguments,
          context,
          new UiLink(
              Json.textOr(link, "", "url"),
              Instant.parse(Json.textOr(link, "", "expires")),
              Json.textOr(link, "", "user")));
      return ExitCode.FINE;
    } catch (ApiException e) {
      throw new FairleadException(
          ApiErrors.isNotFound(e) ? ErrorCode.FL229 : ErrorCode.FL217,
          e,
          String.valueOf(e.getMessage()));
    } catch (ConnectionException e) {
      throw new FairleadException(ErrorCode.FL217, e, String.valueOf(e.getMessage()));
    }
  }

  private static void show(Arguments arguments, CommandContext context, UiLink link) {
    switch (arguments.find("output").orElse("")) {
      case "json" -> context.terminal().out().println(link.document().toPrettyString());
      case "yaml" -> context.terminal().out().print(Yaml.write(link.document()));
      default ->
          context
              .terminal()
              .out()
              .println(
                  context.text(
                      "ui.link",
                      link.url(),
                      Math.max(
                          0,
                          Duration.between(context.clock().instant(), link.expires()).toSeconds()),
                      link.user(),
                      context.text("ui.readonly")));
    }
    context.terminal().out().flush();
    if (arguments.on("open")) {
      open(link.url());
    }
  }

  /// A desktop without that program has other ways to open a link.
  private static void open(String url) {
    try {
      Process _ =
          new ProcessBuilder(List.of("xdg-open", url))
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start();
    } catch (IOException _) {
      return;
    }
  }

  /// Serves the page from here until the process is interrupted.
  private static int serve(
      Arguments arguments, CommandContext context, ClientConfig connection, Client client) {
    UiUser user = who(client);
    try (PageHost host =
            new PageHost(
                connection,
                false,
                new Client(new HttpTransport(connection, "fairlead-ui")),
                new ServedCommands(Main::shell),
                DataDirectories.of(arguments, context).root());
        UiServer server =
            UiServer.start(
                host,
                new UiOptions(arguments.number("ui-port"), false),
                new SecureRandom(),
                context.clock())) {
      show(arguments, context, server.link(user, OptionalInt.empty()).orElseThrow());
      context.terminal().err().println(context.text("ui.serving"));
      new CountDownLatch(1).await();
      return ExitCode.FINE;
    } catch (IOException e) {
      throw new FairleadException(ErrorCode.FL229, e, String.valueOf(e.getMessage()));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return ExitCode.INTERRUPTED;
    }
  }

  /// How the API server calls us; a server that does not say shows what it lets us see all the
  /// same.
  private static UiUser who(Client client) {
    try {
      ObjectNode review =
          client.create(
              WHO,
              "",
              Json.object()
                  .put("apiVersion", "authentication.k8s.io/v1")
                  .put("kind", "SelfSubjectReview"));
      return UiUser.named(Json.textOr(review, "kubeconfig", "status", "userInfo", "username"));
    } catch (ApiException _) {
      return UiUser.named("kubeconfig");
    }
  }
}
