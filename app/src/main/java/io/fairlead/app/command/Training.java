package io.fairlead.app.command;

import io.fairlead.app.Fairlead;
import io.fairlead.app.Options;
import io.fairlead.app.Progress;
import io.fairlead.app.StandardAssembly;
import io.fairlead.app.cli.Context;
import io.fairlead.app.cli.Exit;
import io.fairlead.app.instance.Health;
import io.fairlead.app.logging.Logging;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;

/// A run that does a little of everything, so that the JVM learns which classes to put into the AOT
/// cache. Only `./dev dist` starts it.
public final class Training {
  private static final int ROUNDS = 20;

  private Training() {}

  public static void main(String[] words) throws Exception {
    Logging.off();
    PrintStream nowhere =
        new PrintStream(OutputStream.nullOutputStream(), true, StandardCharsets.UTF_8);
    Context context =
        Context.of(Map.of("LANG", "C.UTF-8"), Map.of(), nowhere, nowhere, InstantSource.system());
    Path directory = Files.createTempDirectory("fairlead-training");
    String data = directory.resolve("data").toString();
    for (List<String> line :
        List.of(
            List.of("--help"),
            List.of("up", "--help"),
            List.of("version", "-o", "json"),
            List.of("completion", "bash"),
            List.of("status", "--data-dir", data),
            List.of("doctor", "--data-dir", data),
            List.of("no-such-verb"))) {
      Main.shell().run(line, context);
    }
    Options standard = Options.defaults(directory.resolve("data"));
    Options options =
        new OptionReader(
                new io.fairlead.app.cli.ArgumentParser(Map.of())
                    .parse(io.fairlead.app.cli.Grammar.UP, List.of("--api-port=0")),
                new io.fairlead.app.instance.DataDirectory(standard.dataDirectory()))
            .forUp();
    try (Fairlead fairlead = Fairlead.start(options, new StandardAssembly(), Progress.SILENT)) {
      for (int round = 0; round < ROUNDS; round++) {
        Health.ask("127.0.0.1", fairlead.port(), options.server().pki().resolve("ca.crt"));
      }
    }
    System.exit(Exit.FINE);
  }
}
