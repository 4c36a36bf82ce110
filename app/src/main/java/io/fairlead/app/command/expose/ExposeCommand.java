package io.fairlead.app.command.expose;

import io.fairlead.api.json.Json;
import io.fairlead.api.status.ApiException;
import io.fairlead.api.yaml.Yaml;
import io.fairlead.app.cli.Arguments;
import io.fairlead.app.cli.Command;
import io.fairlead.app.cli.CommandContext;
import io.fairlead.app.cli.ErrorCode;
import io.fairlead.app.cli.ExitCode;
import io.fairlead.app.cli.FairleadException;
import io.fairlead.app.cli.Terminal.Mark;
import io.fairlead.app.command.ClientConfigLoader;
import io.fairlead.app.logging.Logging;
import io.fairlead.app.text.Phrase;
import io.fairlead.client.ApiErrors;
import io.fairlead.client.Client;
import io.fairlead.client.ClientConfig;
import io.fairlead.client.ObjectKey;
import io.fairlead.client.ResourceType;
import io.fairlead.client.transport.ConnectionException;
import io.fairlead.client.transport.SocketTransport;
import io.fairlead.work.Pacer;
import io.fairlead.work.Ticker;
import java.util.Optional;
import tools.jackson.databind.node.ObjectNode;

/// `fairlead expose deploy/NAME`: makes the Service that leads to a workload, waits until a pod
/// serves it, and says where it is and how to try it.
public final class ExposeCommand implements Command {
  @Override
  public int run(Arguments arguments, CommandContext context) {
    Logging.off();
    String wanted = operand(arguments);
    ResourceType type = type(wanted, arguments);
    ClientConfig connection =
        ClientConfigLoader.find(arguments, context, arguments.path("kubeconfig"));
    String namespace = arguments.find("namespace").orElse(connection.namespace());
    try (Client client = new Client(new SocketTransport(connection, "fairlead-expose"))) {
      return expose(
          client, workload(client, wanted, type, namespace, arguments), arguments, context);
    } catch (ApiException | ConnectionException e) {
      throw new FairleadException(ErrorCode.FL217, e, String.valueOf(e.getMessage()));
    }
  }

  /// `deploy/web`, or `deploy web` as kubectl takes it.
  private static String operand(Arguments arguments) {
    String joined = String.join("/", arguments.operands());
    if (joined.isEmpty()) {
      throw new FairleadException(
          ErrorCode.FL308, arguments.verb().name(), arguments.verb().operand());
    }
    return joined;
  }

  private static ResourceType type(String wanted, Arguments arguments) {
    String[] parts = wanted.split("/", -1);
    return (parts.length == 2 && !parts[1].isEmpty()
            ? ExposedWorkload.type(parts[0])
            : Optional.<ResourceType>empty())
        .orElseThrow(
            () ->
                new FairleadException(
                    ErrorCode.FL303,
                    arguments.verb().operand(),
                    wanted,
                    "deploy/web, rs/web, sts/web, ds/web, rc/web, pod/web"));
  }

  private static ExposedWorkload workload(
      Client client, String wanted, ResourceType type, String namespace, Arguments arguments) {
    String name = wanted.substring(wanted.indexOf('/') + 1);
    return client
        .find(type, new ObjectKey(namespace, name))
        .map(object -> new ExposedWorkload(wanted, type, object))
        .orElseThrow(
            () ->
                new FairleadException(
                    ErrorCode.FL303,
                    arguments.verb().operand(),
                    wanted,
                    "one that exists: kubectl get " + type.plural() + " -n " + namespace));
  }

  private static int expose(
      Client client, ExposedWorkload workload, Arguments arguments, CommandContext context) {
    ServiceDraft draft =
        new ServiceDraft(
            arguments.find("name").orElse(workload.key().name()),
            arguments.text("type"),
            arguments.find("port").map(Integer::valueOf),
            arguments.find("target-port"));
    ObjectNode object = draft.of(workload);
    if (arguments.on("dry-run")) {
      print(object, arguments.find("output").orElse("yaml"), context);
      return ExitCode.FINE;
    }
    ObjectNode service = create(client, object, workload, draft.name());
    ServiceReport report = new ServiceReport(client, service, Ticker.system(), Pacer.system());
    int serving = report.await(arguments.duration("timeout"));
    if (arguments.find("output").isPresent()) {
      print(report.service(), arguments.text("output"), context);
    } else {
      say(report, serving, context);
    }
    return serving == 0 ? ExitCode.FAULT_FOUND : ExitCode.FINE;
  }

  private static ObjectNode create(
      Client client, ObjectNode object, ExposedWorkload workload, String name) {
    try {
      return client.create(ResourceType.SERVICES, workload.key().namespace(), object);
    } catch (ApiException e) {
      boolean there = ApiErrors.isAlreadyExists(e);
      throw new FairleadException(
          ErrorCode.FL231,
          e,
          workload.name(),
          there ? Phrase.of("FL231.exists", name) : String.valueOf(e.getMessage()),
          there
              ? Phrase.of("FL231.exists.next", workload.name(), name)
              : Phrase.of("FL231.refused.next", workload.key().namespace()));
    }
  }

  private static void print(ObjectNode object, String format, CommandContext context) {
    context
        .terminal()
        .out()
        .print(format.equals("json") ? object.toPrettyString() + "\n" : Yaml.write(object));
  }

  private static void say(ServiceReport report, int serving, CommandContext context) {
    var out = context.terminal().out();
    String name = Json.textOr(report.service(), "", "metadata", "name");
    out.println(
        context.terminal().mark(serving == 0 ? Mark.WARNING : Mark.GOOD)
            + " "
            + report.title()
            + "   "
            + (serving == 1
                ? context.text("expose.one")
                : context.text(serving == 0 ? "expose.none" : "expose.several", serving)));
    report
        .ways()
        .forEach(way -> out.println("  " + context.text("expose." + way.from(), way.address())));
    var err = context.terminal().err();
    String namespace = Json.textOr(report.service(), "", "metadata", "namespace");
    if (serving == 0) {
      err.println(context.text("expose.why", context.program(), name, namespace));
    }
    err.println(context.text("expose.undo", name, namespace));
  }
}
