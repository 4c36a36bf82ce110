package io.fairlead.app.command.inspect;

import io.fairlead.app.cli.Arguments;
import io.fairlead.app.cli.Command;
import io.fairlead.app.cli.CommandContext;
import io.fairlead.app.cli.ErrorCode;
import io.fairlead.app.cli.ExitCode;
import io.fairlead.app.cli.FairleadException;
import io.fairlead.insight.dump.DumpArchive;
import io.fairlead.insight.dump.Redaction;
import java.io.IOException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import tools.jackson.databind.node.ObjectNode;

/// `fairlead dump`: one archive of what is needed to understand a cluster, without what is secret.
public final class DumpCommand implements Command {
  private static final long MOST_BYTES = 64L << 20;
  private static final int SALT = 16;
  private static final DateTimeFormatter NAME =
      DateTimeFormatter.ofPattern("'fairlead-dump-'yyyyMMdd-HHmmss'.tar.gz'", Locale.ROOT);

  @Override
  public int run(Arguments arguments, CommandContext context) {
    try (InspectSession session = InspectSession.open(arguments, context)) {
      byte[] salt = new byte[SALT];
      new SecureRandom().nextBytes(salt);
      DumpArchive archive =
          new DumpArchive(
              new Redaction(arguments.text("include-addresses").equals("hashed"), salt),
              MOST_BYTES);
      List<String> nodes =
          arguments.find("nodes").isPresent() ? arguments.list("nodes") : session.nodes();
      // Without -n the whole cluster is of interest.
      String namespace =
          arguments.find("namespace").isPresent() && !arguments.on("all-namespaces")
              ? session.namespace()
              : "";
      DumpContents contents = new DumpContents(session, archive, namespace, nodes);
      contents.collect(HistoryCommand.since(arguments.text("since"), context.clock().instant()));
      Instant now = context.clock().instant();
      Path file =
          arguments
              .path("output")
              .orElseGet(() -> Path.of(NAME.format(now.atZone(ZoneId.systemDefault()))));
      ObjectNode document = archive.write(file, now);
      if (arguments.on("json")) {
        context.terminal().out().println(document.toPrettyString());
      } else {
        print(context, archive, document, contents, nodes.size(), file);
      }
      return ExitCode.FINE;
    } catch (IOException e) {
      throw new FairleadException(ErrorCode.FL228, e, String.valueOf(e.getMessage()));
    }
  }

  private static void print(
      CommandContext context,
      DumpArchive archive,
      ObjectNode document,
      DumpContents contents,
      int nodes,
      Path file) {
    var out = context.terminal().out();
    out.println(
        context.text(
            "dump.written",
            file,
            String.format(Locale.ROOT, "%.1f kB", document.path("bytes").asLong() / 1000.0),
            contents.services(),
            nodes,
            contents.changes()));
    String unseen =
        archive.unseen().stream()
            .map(each -> each.what() + " (" + each.why() + ")")
            .distinct()
            .collect(Collectors.joining(", "));
    out.println(
        context.text("dump.left") + (unseen.isEmpty() ? "" : context.text("dump.unseen", unseen)));
    out.println(context.text("dump.look", file));
  }
}
