package io.fairlead.kernel.syscall;

import io.fairlead.work.Tasks;
import io.fairlead.work.Work;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/// A network namespace with a name, kept as `ip netns` keeps it: a file in `/run/netns` on which
/// the namespace is mounted. So `ip netns exec NAME` and this class work on the same ones.
///
/// How it works: a namespace belongs to threads and open files. It is made by a thread that leaves
/// its own, then pinned by the mount. Work inside runs on a thread made for it, which ends
/// afterwards, so that no thread of a pool is ever left in the wrong world. Sockets opened inside
/// stay inside.
///
/// @param name without a slash
public record NetworkNamespace(String name) {
  private static final Path DIRECTORY = Path.of("/run/netns");

  public NetworkNamespace {
    if (name.isEmpty() || name.contains("/") || name.equals(".") || name.equals("..")) {
      throw new IllegalArgumentException("not a name of a namespace: " + name);
    }
  }

  /// Where it is mounted.
  public Path path() {
    return DIRECTORY.resolve(name);
  }

  public boolean exists() {
    return java.nio.file.Files.exists(path());
  }

  /// Makes it; one of that name that is there already is an error.
  ///
  /// @return a namespace without any interface that is up
  public static NetworkNamespace create(String name) {
    NetworkNamespace namespace = new NetworkNamespace(name);
    prepareDirectory();
    try {
      java.nio.file.Files.createFile(namespace.path());
    } catch (FileAlreadyExistsException e) {
      throw new SystemCallException(namespace.path().toString(), "create", Errno.EEXIST);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    try {
      onOwnThread(
          "make " + name,
          () -> {
            NamespaceCalls.unshare(name, NamespaceCalls.CLONE_NEWNET);
            FileCalls.mount(
                "/proc/self/task/" + NamespaceCalls.threadId() + "/ns/net",
                namespace.path(),
                FileCalls.MS_BIND);
            return true;
          });
    } catch (RuntimeException e) {
      namespace.path().toFile().delete();
      throw e;
    }
    return namespace;
  }

  /// Runs something inside, on a thread of its own, and waits for it.
  public <T> T call(Callable<T> work) {
    return onOwnThread(
        name,
        () -> {
          enter();
          return work.call();
        });
  }

  /// Runs something inside a namespace that another program has mounted elsewhere, on a thread of
  /// its own, and waits for it.
  public static <T> T callIn(Path mounted, Callable<T> work) {
    return onOwnThread(
        mounted.toString(),
        () -> {
          enter(mounted);
          return work.call();
        });
  }

  /// Runs something inside, on a thread of its own, and waits for it.
  public void run(Runnable work) {
    call(
        () -> {
          work.run();
          return true;
        });
  }

  /// Starts something inside, on a thread of its own.
  ///
  /// @return the thread, for those who interrupt it or wait for it
  public Thread start(String threadName, Work work) {
    return Tasks.startPlatform(
        threadName,
        () -> {
          enter();
          work.run();
        });
  }

  private void enter() {
    enter(path());
  }

  private static void enter(Path mounted) {
    try (NativeFileDescriptor descriptor = FileCalls.open(mounted)) {
      NamespaceCalls.enter(descriptor, NamespaceCalls.CLONE_NEWNET);
    }
  }

  /// Takes the name away. The namespace itself ends with the last socket and process inside. One
  /// that is not there is fine.
  public void delete() {
    try {
      FileCalls.unmount(path(), FileCalls.MNT_DETACH);
    } catch (SystemCallException e) {
      if (!e.isNotFound() && !e.errno().equals(Errno.EINVAL)) {
        throw e;
      }
    }
    try {
      java.nio.file.Files.deleteIfExists(path());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// The directory must hand its mounts on to other mount namespaces, as `ip netns` makes it.
  private static void prepareDirectory() {
    try {
      java.nio.file.Files.createDirectories(DIRECTORY);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    try {
      FileCalls.mount("none", DIRECTORY, FileCalls.MS_SHARED | FileCalls.MS_REC);
    } catch (SystemCallException e) {
      if (!e.errno().equals(Errno.EINVAL)) {
        throw e;
      }
      FileCalls.mount(DIRECTORY.toString(), DIRECTORY, FileCalls.MS_BIND | FileCalls.MS_REC);
      FileCalls.mount("none", DIRECTORY, FileCalls.MS_SHARED | FileCalls.MS_REC);
    }
  }

  /// Runs something on a thread that ends afterwards, and waits for it.
  static <T> T onOwnThread(String threadName, Callable<T> work) {
    FutureTask<T> task = new FutureTask<>(work);
    Thread _ = Tasks.startPlatform("namespace " + threadName, task::run);
    try {
      return task.get();
    } catch (ExecutionException e) {
      switch (e.getCause()) {
        case RuntimeException runtime -> {
          runtime.addSuppressed(new IllegalStateException("called from here"));
          throw runtime;
        }
        case Error error -> throw error;
        case null, default -> throw new IllegalStateException(e.getCause());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted inside namespace work", e);
    }
  }
}
