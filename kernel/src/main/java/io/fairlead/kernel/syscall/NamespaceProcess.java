package io.fairlead.kernel.syscall;

import io.fairlead.work.Tasks;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.foreign.Arena;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;

/// A program inside the namespaces of another process, with fewer capabilities than this one.
///
/// How it works: what runs inside may have changed every file there, also the loader and the
/// libraries. So no helper program may run inside with the capabilities of this process, as
/// `nsenter` does. A thread made for it enters the namespaces, takes capabilities out of what its
/// programs may have, keeps its own, and starts the program: the kernel takes them away in the same
/// step that replaces the memory of this process by the program. Until then the processes inside
/// can neither trace it nor read its files, since it has more capabilities than they.
public final class NamespaceProcess extends Process {
  /// What to run.
  ///
  /// @param command begins with a path inside
  /// @param environment of the form `NAME=value`
  /// @param capabilities a bit for each that it has
  /// @param input whether it can be typed to; if not, it reads an end
  /// @param merged errors go where the output goes
  public record Program(
      List<String> command,
      List<String> environment,
      long capabilities,
      boolean input,
      boolean merged) {
    public Program {
      command = List.copyOf(command);
      environment = List.copyOf(environment);
    }
  }

  private record Namespace(String name, int kind) {}

  /// That of processes is for children only; mounts come last, since paths mean others afterwards.
  private static final List<Namespace> NAMESPACES =
      List.of(
          new Namespace("uts", NamespaceCalls.CLONE_NEWUTS),
          new Namespace("ipc", NamespaceCalls.CLONE_NEWIPC),
          new Namespace("net", NamespaceCalls.CLONE_NEWNET),
          new Namespace("pid", NamespaceCalls.CLONE_NEWPID),
          new Namespace("mnt", NamespaceCalls.CLONE_NEWNS));

  private final int number;
  private final OutputStream input;
  private final InputStream output;
  private final InputStream error;
  private final CompletableFuture<Integer> exit = new CompletableFuture<>();
  // Guards `reaped`: a signal must not reach another process that got the number.
  private final Object reaping = new Object();
  private boolean reaped;

  private NamespaceProcess(int number, OutputStream input, InputStream output, InputStream error) {
    this.number = number;
    this.input = input;
    this.output = output;
    this.error = error;
    Tasks.startPlatform("wait for process " + number, this::reap);
  }

  /// Starts a program in the mounts, network, processes, IPC and host name of another process.
  ///
  /// @throws SystemCallException when there is no such process or program
  public static NamespaceProcess start(long target, Program program) throws IOException {
    List<NativeFileDescriptor> open = new ArrayList<>();
    try {
      List<NativeFileDescriptor> namespaces = new ArrayList<>();
      for (Namespace each : NAMESPACES) {
        namespaces.add(
            kept(open, FileCalls.open(Path.of("/proc/" + target + "/ns/" + each.name()))));
      }
      List<NativeFileDescriptor> in = program.input() ? pipe(open, "input") : List.of();
      NativeFileDescriptor source =
          program.input() ? in.getFirst() : kept(open, FileCalls.open(Path.of("/dev/null")));
      List<NativeFileDescriptor> out = pipe(open, "output");
      List<NativeFileDescriptor> error = program.merged() ? out : pipe(open, "errors");
      // Opened again by name, since Java makes no stream of a number.
      OutputStream typed =
          program.input()
              ? new FileOutputStream(name(in.getLast()))
              : OutputStream.nullOutputStream();
      InputStream printed = new FileInputStream(name(out.getFirst()));
      InputStream complained =
          program.merged()
              ? InputStream.nullInputStream()
              : new FileInputStream(name(error.getFirst()));
      try {
        int number =
            NetworkNamespace.onOwnThread(
                "of process " + target,
                () ->
                    spawn(
                        namespaces,
                        program,
                        source.number(),
                        out.getLast().number(),
                        error.getLast().number()));
        return new NamespaceProcess(number, typed, printed, complained);
      } catch (RuntimeException e) {
        typed.close();
        printed.close();
        complained.close();
        throw e;
      }
    } finally {
      open.forEach(NativeFileDescriptor::close);
    }
  }

  /// Runs on a thread of its own, which ends afterwards.
  private static int spawn(
      List<NativeFileDescriptor> namespaces, Program program, int in, int out, int error) {
    try (Arena arena = Arena.ofConfined()) {
      ProcessCalls.Start start =
          ProcessCalls.Start.of(arena, program.command(), program.environment());
      ProcessCalls.limitPrograms(program.capabilities());
      // A root, a working directory and descriptors of its own, not those of all threads.
      NamespaceCalls.unshare("a thread", NamespaceCalls.CLONE_FS | NamespaceCalls.CLONE_FILES);
      ProcessCalls.closeAllInPrograms();
      for (int i = 0; i < namespaces.size(); i++) {
        NamespaceCalls.enter(namespaces.get(i), NAMESPACES.get(i).kind());
      }
      return ProcessCalls.spawn(arena, start, in, out, error);
    }
  }

  private static NativeFileDescriptor kept(
      List<NativeFileDescriptor> open, NativeFileDescriptor one) {
    open.add(one);
    return one;
  }

  private static List<NativeFileDescriptor> pipe(List<NativeFileDescriptor> open, String name) {
    List<NativeFileDescriptor> ends = ProcessCalls.pipe(name);
    open.addAll(ends);
    return ends;
  }

  private static String name(NativeFileDescriptor descriptor) {
    return "/proc/self/fd/" + descriptor.number();
  }

  private void reap() {
    int code = ProcessCalls.await(number, false);
    synchronized (reaping) {
      reaped = true;
      ProcessCalls.await(number, true);
    }
    exit.complete(code);
  }

  private void signal(int signal) {
    synchronized (reaping) {
      if (!reaped) {
        ProcessCalls.kill(number, signal);
      }
    }
  }

  @Override
  public OutputStream getOutputStream() {
    return input;
  }

  @Override
  public InputStream getInputStream() {
    return output;
  }

  @Override
  public InputStream getErrorStream() {
    return error;
  }

  @Override
  public int waitFor() throws InterruptedException {
    try {
      return exit.get();
    } catch (ExecutionException e) {
      throw new IllegalStateException(e.getCause());
    }
  }

  @Override
  public boolean waitFor(long timeout, TimeUnit unit) throws InterruptedException {
    try {
      int ignored = exit.get(timeout, unit);
      return ignored >= 0;
    } catch (TimeoutException _) {
      return false;
    } catch (ExecutionException e) {
      throw new IllegalStateException(e.getCause());
    }
  }

  @Override
  public int exitValue() {
    if (!exit.isDone()) {
      throw new IllegalThreadStateException("process " + number + " has not ended");
    }
    return exit.join();
  }

  @Override
  public boolean isAlive() {
    return !exit.isDone();
  }

  @Override
  public void destroy() {
    signal(ProcessCalls.SIGTERM);
  }

  @Override
  public Process destroyForcibly() {
    signal(ProcessCalls.SIGKILL);
    return this;
  }

  @Override
  public long pid() {
    return number;
  }

  @Override
  public CompletableFuture<Process> onExit() {
    return exit.thenApply(_ -> this);
  }

  @Override
  public Stream<ProcessHandle> children() {
    return ProcessHandle.of(number).stream().flatMap(ProcessHandle::children);
  }

  @Override
  public Stream<ProcessHandle> descendants() {
    return ProcessHandle.of(number).stream().flatMap(ProcessHandle::descendants);
  }

  @Override
  public ProcessHandle toHandle() {
    return ProcessHandle.of(number)
        .orElseThrow(() -> new IllegalStateException("process " + number + " has ended"));
  }
}
