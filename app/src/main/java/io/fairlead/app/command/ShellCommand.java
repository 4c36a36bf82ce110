package io.fairlead.app.command;

import io.fairlead.app.cli.Arguments;
import io.fairlead.app.cli.Code;
import io.fairlead.app.cli.Command;
import io.fairlead.app.cli.Context;
import io.fairlead.app.cli.Exit;
import io.fairlead.app.cli.Problem;
import io.fairlead.app.instance.DataDirectory;
import io.fairlead.app.instance.InstanceRecord;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;

/// `fairlead shell [COMMAND]`: a shell, or one command, inside the lab of `up --lab`, with a
/// kubeconfig that works there.
public final class ShellCommand implements Command {
  @Override
  public int run(Arguments arguments, Context context) {
    DataDirectory directory = DataDirectories.of(arguments, context);
    InstanceRecord instance =
        InstanceRecord.read(directory)
            .filter(record -> record.process().isPresent() && Files.exists(directory.lab()))
            .orElseThrow(() -> new Problem(Code.FL225, directory.root()));
    List<String> words = new ArrayList<>(Lab.inside(instance, context));
    words.add(context.environment().getOrDefault("SHELL", "/bin/sh"));
    arguments.operands().stream().findFirst().ifPresent(each -> words.addAll(List.of("-c", each)));
    ProcessBuilder builder = new ProcessBuilder(words).inheritIO();
    builder.environment().put("KUBECONFIG", instance.kubeconfig());
    try {
      return builder.start().waitFor();
    } catch (IOException e) {
      throw new Problem(Code.FL224, e, String.valueOf(e.getMessage()));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Exit.INTERRUPTED;
    }
  }
}
