package io.fairlead.app.command;

import io.fairlead.api.json.Json;
import io.fairlead.app.cli.Arguments;
import io.fairlead.app.cli.Command;
import io.fairlead.app.cli.CommandContext;
import io.fairlead.app.cli.ErrorCode;
import io.fairlead.app.cli.ExitCode;
import io.fairlead.app.cli.FairleadException;
import io.fairlead.app.text.Phrase;
import io.fairlead.proxy.core.ProxyMode;
import io.fairlead.proxy.mode.ControlSocket;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// `fairlead mode [MODE]`: asks the running proxy of this node for its mode, or for another one:
/// that of `up`, else one that runs alone.
public final class ModeCommand implements Command {
  private static final Path ALONE = Path.of("/run/fairlead/proxy.sock");

  // As the proxy begins its reasons.
  private static final String NO_IPVS = "the kernel has no IPVS (";
  private static final String NO_NFTABLES = "the kernel has no nftables: ";

  @Override
  public int run(Arguments arguments, CommandContext context) {
    Path ours = DataDirectories.of(arguments, context).proxySocket();
    Path socket =
        arguments
            .find("control")
            .map(Path::of)
            .orElse(Files.exists(ours) || arguments.path("data-dir").isPresent() ? ours : ALONE);
    ObjectNode question = Json.object();
    if (!arguments.operands().isEmpty()) {
      question.put("mode", known(arguments));
    }
    ObjectNode answer;
    try {
      answer = ControlSocket.ask(socket, question);
    } catch (IOException e) {
      throw new FairleadException(
          ErrorCode.FL221, e, socket.toString(), String.valueOf(e.getMessage()));
    }
    if (answer.has("error")) {
      throw new FairleadException(
          ErrorCode.FL222, Json.textOr(answer, "", "mode"), why(Json.textOr(answer, "", "error")));
    }
    if (arguments.find("output").isPresent()) {
      OutputDocument document =
          new OutputDocument("ProxyMode")
              .put("mode", Json.textOr(answer, "", "mode"))
              .put("was", Json.textOr(answer, "", "was"))
              .put("carriedConnections", answer.path("carried").asInt(0))
              .put("endsConnections", answer.path("ending").asBoolean(false))
              .put("left", answer.path("left"));
      context.terminal().out().print(document.render(arguments.text("output")));
    } else {
      print(answer, context, socket.equals(ours) ? "mode.lasts.up" : "mode.lasts");
    }
    return answer.path("left").isEmpty() ? ExitCode.FINE : ExitCode.FAULT_FOUND;
  }

  /// The common reasons in the user's language; others in the proxy's own words.
  private static Object why(String error) {
    if (error.startsWith(NO_IPVS)) {
      return Phrase.of("mode.why.ipvs");
    }
    if (error.startsWith(NO_NFTABLES)) {
      return Phrase.of("mode.why.nftables", error.substring(NO_NFTABLES.length()));
    }
    return Phrase.of("mode.why.other", error);
  }

  private static String known(Arguments arguments) {
    String wanted = arguments.operands().getFirst();
    List<String> modes = arguments.verb().operands();
    if (!modes.contains(wanted)) {
      throw new FairleadException(
          ErrorCode.FL303, arguments.verb().operand(), wanted, String.join(", ", modes));
    }
    return wanted;
  }

  private static void print(ObjectNode answer, CommandContext context, String lasts) {
    PrintStream out = context.terminal().out();
    String was = Json.textOr(answer, "", "was");
    String mode = Json.textOr(answer, "", "mode");
    if (mode.equals(was)) {
      out.println(context.text("mode.is", mode));
      return;
    }
    out.println(context.text("mode.changed", was, mode));
    if (answer.path("ending").asBoolean(false)) {
      out.println("  " + context.text("mode.ending"));
    } else if (was.equals(ProxyMode.USERSPACE.toString())) {
      out.println("  " + context.text("mode.carried", answer.path("carried").asInt(0)));
    } else {
      out.println("  " + context.text("mode.kept", was));
    }
    if (mode.equals(ProxyMode.USERSPACE.toString())) {
      out.println("  " + context.text("mode.userspace"));
    }
    for (JsonNode each : answer.path("left")) {
      out.println("  " + context.text("mode.left", each.asString("")));
    }
    out.println("  " + context.text(lasts, mode));
  }
}
