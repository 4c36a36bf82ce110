package io.fairlead.app.command;

import io.fairlead.app.cli.Arguments;
import io.fairlead.app.cli.Command;
import io.fairlead.app.cli.CommandContext;
import io.fairlead.app.cli.ErrorCode;
import io.fairlead.app.cli.ExitCode;
import io.fairlead.app.cli.FairleadException;
import io.fairlead.app.instance.DataDirectory;
import io.fairlead.app.instance.InstanceRecord;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;

/// `fairlead shell [COMMAND...]`: a shell, or one command, inside the lab of `up --lab`, with a
/// kubeconfig that works there. One word is a line for the shell, several are a program and its
/// arguments.
public final class ShellCommand implements Command {
  @Override
  public int run(Arguments arguments, CommandContext context) {
    DataDirectory directory = DataDirectories.open(arguments, context);
    InstanceRecord instance =
        InstanceRecord.read(directory)
            .filter(record -> record.process().isPresent() && Files.exists(directory.lab()))
            .orElseThrow(() -> new FairleadException(ErrorCode.FL225, directory.root()));
    List<String> words = new ArrayList<>(Lab.inside(instance, context));
    List<String> command = arguments.operands();
    if (command.size() < 2) {
      words.add(context.environment().getOrDefault("SHELL", "/bin/sh"));
      command.forEach(line -> words.addAll(List.of("-c", line)));
    } else {
      words.addAll(command);
    }
    ProcessBuilder builder = new ProcessBuilder(words).inheritIO();
    builder.environment().put("KUBECONFIG", instance.kubeconfig());
    try {
      return builder.start().waitFor();
    } catch (IOException e) {
      throw new FairleadException(ErrorCode.FL224, e, String.valueOf(e.getMessage()));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return ExitCode.INTERRUPTED;
    }
  }
}
