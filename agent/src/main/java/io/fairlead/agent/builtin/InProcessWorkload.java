package io.fairlead.agent.builtin;

import io.fairlead.agent.runtime.ContainerConfig;
import io.fairlead.agent.runtime.RuntimeFailure;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/// A workload that is part of this program: no process of its own, only sockets in the pod's
/// network.
final class InProcessWorkload implements Workload.Running {
  private static final int KILLED = 137;

  private final CompletableFuture<Integer> end = new CompletableFuture<>();
  private final AutoCloseable sockets;

  InProcessWorkload(AutoCloseable sockets) {
    this.sockets = sockets;
  }

  @Override
  public CompletableFuture<Integer> end() {
    return end;
  }

  @Override
  public void ask() {
    finish(0);
  }

  @Override
  public void force() {
    finish(KILLED);
  }

  private void finish(int code) {
    if (end.isDone()) {
      return;
    }
    try {
      sockets.close();
    } catch (Exception e) {
      throw new IllegalStateException(e);
    } finally {
      end.complete(code);
    }
  }

  /// The port a workload listens on: what `PORT` says, or its own.
  static int port(ContainerConfig config, int standard) {
    for (Map.Entry<String, String> variable : config.environment()) {
      if (variable.getKey().equals("PORT")) {
        String text = variable.getValue();
        if (text.matches("[0-9]{1,5}") && Integer.parseInt(text) <= 65_535) {
          return Integer.parseInt(text);
        }
        throw new RuntimeFailure("RunContainerError", "PORT is no port: " + text);
      }
    }
    return standard;
  }
}
