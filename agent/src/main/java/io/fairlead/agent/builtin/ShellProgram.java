package io.fairlead.agent.builtin;

import static java.util.concurrent.TimeUnit.MILLISECONDS;

import io.fairlead.agent.runtime.Attached;
import io.fairlead.agent.runtime.ContainerConfig;
import io.fairlead.agent.runtime.RuntimeFailure;
import io.fairlead.kernel.syscall.SystemCallException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/// Runs a program of the node in the pod: with the pod's network, host name, `/etc/hosts` and
/// `resolv.conf`, as process 1 of its own process tree, on a copy of the node's file system that is
/// gone when it ends. This is not isolation: it is root on the node. Without a command it sleeps.
final class ShellProgram implements Workload {
  private static final long SILENCE_MILLIS = 1000;

  /// Makes the file system and becomes the program. Arguments: scratch directory, host name, hosts,
  /// resolv.conf, working directory, then pairs of mounts up to `--`, then the program.
  private static final String SCRIPT =
      """
      set -e
      root=$1; name=$2; hosts=$3; resolv=$4; work=$5; shift 5
      hostname "$name"
      mount --make-rprivate /
      mount -t tmpfs tmpfs "$root"
      mkdir "$root/upper" "$root/work" "$root/all"
      mount -t overlay overlay -o "lowerdir=/,upperdir=$root/upper,workdir=$root/work" "$root/all"
      # Devices of its own: what is mounted below /dev must not appear on the node.
      mount -t tmpfs -o mode=755 tmpfs "$root/all/dev"
      for each in null zero full random urandom tty; do
        : > "$root/all/dev/$each"; mount --bind "/dev/$each" "$root/all/dev/$each"
      done
      mkdir "$root/all/dev/pts" "$root/all/dev/shm"; chmod 1777 "$root/all/dev/shm"
      mount --rbind /dev/pts "$root/all/dev/pts"
      ln -s pts/ptmx "$root/all/dev/ptmx"; ln -s /proc/self/fd "$root/all/dev/fd"
      for each in 0:stdin 1:stdout 2:stderr; do
        ln -s "/proc/self/fd/${each%:*}" "$root/all/dev/${each#*:}"
      done
      mount -t proc proc "$root/all/proc"
      mount --rbind /sys "$root/all/sys"
      rm -f "$root/all/etc/hosts" "$root/all/etc/resolv.conf"
      : > "$root/all/etc/hosts"; : > "$root/all/etc/resolv.conf"
      mount --bind "$hosts" "$root/all/etc/hosts"
      mount --bind "$resolv" "$root/all/etc/resolv.conf"
      while [ "$1" != -- ]; do
        # Links such as /var/run are followed in the copy, not in the node's own files.
        mode=$1; source=$2; target=$root/all$(chroot "$root/all" readlink -m "$3"); shift 3
        if [ -d "$source" ]; then mkdir -p "$target"
        else mkdir -p "$(dirname "$target")"; [ -e "$target" ] || : > "$target"; fi
        mount --bind "$source" "$target"
        if [ "$mode" = ro ]; then mount -o remount,bind,ro "$target"; fi
      done
      shift
      exec chroot "$root/all" sh -c 'cd "$0" && exec "$@"' "$work" "$@"
      """;

  @Override
  public Running start(Place place, ContainerConfig config, LogFile log) {
    List<String> command = new ArrayList<>(place.prefix());
    command.addAll(
        List.of(
            "unshare",
            "--mount",
            "--uts",
            "--ipc",
            "--pid",
            "--fork",
            "--kill-child",
            "sh",
            "-c",
            SCRIPT,
            "pod",
            place.scratch().toString(),
            place.hostname(),
            config.hosts().toString(),
            place.resolvConf().toString(),
            config.workingDirectory().isEmpty() ? "/" : config.workingDirectory()));
    for (ContainerConfig.Mount mount : config.mounts()) {
      command.add(mount.readOnly() ? "ro" : "rw");
      command.add(mount.source().toString());
      command.add(mount.target());
    }
    command.add("--");
    Function<List<String>, ProcessBuilder> inside =
        program -> {
          List<String> line = new ArrayList<>(command);
          line.addAll(program);
          ProcessBuilder builder = new ProcessBuilder(line);
          environment(builder, config, place.hostname());
          return builder;
        };
    try {
      return config.terminal().screen()
          ? withTerminal(inside, config, log)
          : withPipes(inside, config, log);
    } catch (IOException | SystemCallException e) {
      throw new RuntimeFailure("RunContainerError", String.valueOf(e.getMessage()));
    }
  }

  private static Running withPipes(
      Function<List<String>, ProcessBuilder> inside, ContainerConfig config, LogFile log)
      throws IOException {
    ProcessBuilder builder = inside.apply(program(config));
    if (!config.terminal().input()) {
      builder.redirectInput(Path.of("/dev/null").toFile());
    }
    Process process = builder.start();
    Voice output = new Voice();
    Voice error = new Voice();
    return InProcess.of(
        process,
        CompletableFuture.allOf(
            copy(output.through(process.getInputStream()), "stdout", log),
            copy(error.through(process.getErrorStream()), "stderr", log)),
        new AttachedShell.Streams(
            output, error, process.getOutputStream(), config.terminal().once(), (_, _) -> {}));
  }

  private static Running withTerminal(
      Function<List<String>, ProcessBuilder> inside, ContainerConfig config, LogFile log)
      throws IOException {
    TerminalProgram program = TerminalProgram.startFirst(program(config), inside);
    Voice output = new Voice();
    return InProcess.of(
        program.process(),
        copy(output.through(program.output()), "stdout", log),
        new AttachedShell.Streams(
            output, Voice.SILENT, program.input(), config.terminal().once(), program::resize));
  }

  private static CompletableFuture<Void> copy(InputStream from, String stream, LogFile log) {
    return CompletableFuture.runAsync(
        () -> log.copy(from, stream), Thread.ofVirtual().name("log " + stream)::start);
  }

  static void environment(ProcessBuilder builder, ContainerConfig config, String hostname) {
    String path = builder.environment().getOrDefault("PATH", "");
    builder.environment().clear();
    builder
        .environment()
        .put("PATH", path + ":/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin");
    builder.environment().put("HOSTNAME", hostname);
    builder.environment().put("HOME", "/root");
    config.environment().forEach(one -> builder.environment().put(one.getKey(), one.getValue()));
  }

  private static List<String> program(ContainerConfig config) {
    List<String> program = new ArrayList<>(config.command());
    program.addAll(config.arguments());
    return program.isEmpty() ? List.of("sleep", "infinity") : program;
  }

  /// A process tree whose first process is the child of the one that was started.
  private record InProcess(
      Process outer, CompletableFuture<Integer> end, AttachedShell.Streams streams)
      implements Running {
    /// It has ended when its last words are in the log, unless somebody it left behind could still
    /// say something.
    static InProcess of(
        Process outer, CompletableFuture<Void> logged, AttachedShell.Streams streams) {
      CompletableFuture<Integer> end =
          outer
              .onExit()
              .thenCompose(
                  process ->
                      logged
                          .copy()
                          .completeOnTimeout(null, SILENCE_MILLIS, MILLISECONDS)
                          .thenApply(_ -> process.exitValue()));
      return new InProcess(outer, end, streams);
    }

    @Override
    public Optional<Attached> attach(boolean input) {
      return Optional.of(new AttachedShell(streams, input, end));
    }

    @Override
    public void ask() {
      first().ifPresent(ProcessHandle::destroy);
    }

    @Override
    public void force() {
      // The outer first: it answers a killed child with an exit code of its own.
      Optional<ProcessHandle> inner = first();
      outer.destroyForcibly();
      inner.ifPresent(ProcessHandle::destroyForcibly);
    }

    @Override
    public Optional<Long> process() {
      return first().map(ProcessHandle::pid);
    }

    private Optional<ProcessHandle> first() {
      return outer.children().findFirst();
    }
  }
}
