package io.fairlead.work;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadFactory;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Work that runs once: one connection, one request, one hand-over. What a task throws is logged
/// with its name and ends only that task. Work that goes on is a [SupervisedLoop].
public final class Tasks {
  private static final Logger log = LoggerFactory.getLogger(Tasks.class);

  private Tasks() {}

  /// Runs it on a virtual thread.
  ///
  /// @return the thread, for those who interrupt it or wait for it
  public static Thread start(String name, Work work) {
    return Thread.ofVirtual().name(name).start(() -> run(name, work));
  }

  /// Runs it on a platform thread that does not keep the process alive, for work that sits in
  /// native calls or belongs to one thread of the kernel (network namespaces).
  public static Thread startPlatform(String name, Work work) {
    return Thread.ofPlatform().daemon().name(name).start(() -> run(name, work));
  }

  /// Runs it on a platform thread that keeps the process alive until it ends.
  public static Thread startForeground(String name, Work work) {
    return Thread.ofPlatform().name(name).start(() -> run(name, work));
  }

  /// Runs it when the process ends. The process waits for it.
  ///
  /// @return the registered hook, for [Runtime#removeShutdownHook]
  public static Thread atExit(String name, Work work) {
    Thread hook = Thread.ofPlatform().name(name).unstarted(() -> run(name, work));
    Runtime.getRuntime().addShutdownHook(hook);
    return hook;
  }

  /// Runs each task on a virtual thread of its own, for libraries that want an executor.
  public static ExecutorService perTask(String name) {
    return Executors.newThreadPerTaskExecutor(Thread.ofVirtual().name(name + "-", 0).factory());
  }

  /// Platform threads for libraries that make their own loops (event loops of gRPC and Jetty).
  public static ThreadFactory platformThreads(String name) {
    return Thread.ofPlatform().daemon().name(name + "-", 0).factory();
  }

  /// Runs tasks one after the other on one thread, at once or later. A task that throws is logged
  /// and ends only itself. For periodic work take a [SupervisedLoop].
  public static ScheduledExecutorService sequential(String name) {
    ThreadFactory threads = Thread.ofPlatform().daemon().name(name).factory();
    ScheduledThreadPoolExecutor executor =
        new ScheduledThreadPoolExecutor(1, threads) {
          @Override
          protected void afterExecute(Runnable task, @Nullable Throwable thrown) {
            if (task instanceof Future<?> future && future.state() == Future.State.FAILED) {
              failed(name, future.exceptionNow());
            }
          }
        };
    executor.setRemoveOnCancelPolicy(true);
    executor.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
    return executor;
  }

  private static void run(String name, Work work) {
    try {
      work.run();
    } catch (InterruptedException _) {
      // Its owner ended it.
    } catch (Throwable e) {
      failed(name, e);
    }
  }

  private static void failed(String name, Throwable e) {
    log.atError().addKeyValue("task", name).setCause(e).log("a task failed");
  }
}
