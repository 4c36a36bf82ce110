package io.fairlead.agent.builtin;

import io.fairlead.agent.runtime.ContainerConfig;
import io.fairlead.agent.runtime.RuntimeFailure;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/// Runs a program of the node in the pod: with the pod's network, host name, `/etc/hosts` and
/// `resolv.conf`, as process 1 of its own process tree, on a copy of the node's file system that is
/// gone when it ends. This is not isolation: it is root on the node. Without a command it sleeps.
final class ShellProgram implements Workload {
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
      mount --rbind /dev "$root/all/dev"
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
    command.addAll(program(config));
    ProcessBuilder builder = new ProcessBuilder(command);
    environment(builder, config, place.hostname());
    builder.redirectInput(Path.of("/dev/null").toFile());
    try {
      Process process = builder.start();
      Thread.ofVirtual()
          .name("log stdout")
          .start(() -> log.copy(process.getInputStream(), "stdout"));
      Thread.ofVirtual()
          .name("log stderr")
          .start(() -> log.copy(process.getErrorStream(), "stderr"));
      return new InProcess(process);
    } catch (IOException e) {
      throw new RuntimeFailure("RunContainerError", String.valueOf(e.getMessage()));
    }
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
  private record InProcess(Process outer, CompletableFuture<Integer> end) implements Running {
    InProcess(Process outer) {
      this(outer, outer.onExit().thenApply(Process::exitValue));
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
