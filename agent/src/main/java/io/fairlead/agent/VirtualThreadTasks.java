package io.fairlead.agent;

import io.fairlead.agent.lifecycle.AsyncTasks;
import io.fairlead.agent.lifecycle.ConnectionDrain;
import io.fairlead.agent.pod.Container;
import io.fairlead.agent.pod.HandlerAction;
import io.fairlead.agent.pod.Pod;
import io.fairlead.agent.pod.Probe;
import io.fairlead.agent.probe.ProbeOutcome;
import io.fairlead.agent.probe.Prober;
import io.fairlead.agent.stats.ProbeCounter;
import io.fairlead.work.Pacer;
import io.fairlead.work.Tasks;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;

/// Runs probes and hooks, each on a virtual thread of its own.
final class VirtualThreadTasks implements AsyncTasks {
  /// A hook has no time-out of its own: the pod stops waiting for it when the grace is over.
  private static final Duration LONGEST_HOOK = Duration.ofMinutes(10);

  private final Prober prober;
  private final ProbeCounter counter;
  private final ConnectionDrain drain;
  private final Pacer pacer;

  VirtualThreadTasks(Prober prober, ProbeCounter counter, ConnectionDrain drain, Pacer pacer) {
    this.prober = prober;
    this.counter = counter;
    this.drain = drain;
    this.pacer = pacer;
  }

  @Override
  public void drain(Pod pod, Duration limit, Consumer<Optional<String>> end) {
    Tasks.start("drain " + pod.key(), () -> end.accept(drain.await(pod, limit)));
  }

  @Override
  public void probe(
      Pod pod,
      Container container,
      String containerId,
      String address,
      Probe.Kind kind,
      Probe probe,
      Consumer<ProbeOutcome> answer) {
    Tasks.start(
        "probe " + pod.key() + " " + container.name(),
        () -> {
          ProbeOutcome outcome =
              ask(probe.action(), container, containerId, address, probe.timeout());
          try {
            counter.count(pod, container, kind, outcome);
          } finally {
            // Without an answer the next probe would never be due.
            answer.accept(outcome);
          }
        });
  }

  @Override
  public void hook(
      Pod pod,
      Container container,
      String containerId,
      String address,
      HandlerAction action,
      Consumer<Optional<String>> end) {
    Tasks.start(
        "hook " + pod.key() + " " + container.name(),
        () -> end.accept(run(container, containerId, address, action)));
  }

  private Optional<String> run(
      Container container, String containerId, String address, HandlerAction action) {
    if (action instanceof HandlerAction.Sleep(long seconds)) {
      try {
        pacer.pause(Duration.ofSeconds(seconds));
      } catch (InterruptedException _) {
        Thread.currentThread().interrupt();
      }
      return Optional.empty();
    }
    return switch (ask(action, container, containerId, address, LONGEST_HOOK)) {
      case ProbeOutcome.Success _ -> Optional.empty();
      case ProbeOutcome.Failure(String text) -> Optional.of(text);
      case ProbeOutcome.Unknown(String text) -> Optional.of(text);
    };
  }

  private ProbeOutcome ask(
      HandlerAction action, Container container, String id, String address, Duration timeout) {
    try {
      return prober.ask(action, container, id, address, timeout);
    } catch (RuntimeException e) {
      return new ProbeOutcome.Unknown(String.valueOf(e.getMessage()));
    }
  }
}
