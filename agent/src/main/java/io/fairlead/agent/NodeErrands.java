package io.fairlead.agent;

import io.fairlead.agent.drain.Drain;
import io.fairlead.agent.lifecycle.Errands;
import io.fairlead.agent.pod.Action;
import io.fairlead.agent.pod.Container;
import io.fairlead.agent.pod.Pod;
import io.fairlead.agent.pod.Probe;
import io.fairlead.agent.probe.Outcome;
import io.fairlead.agent.probe.Prober;
import io.fairlead.agent.stats.ProbeCounter;
import io.fairlead.client.time.Pacer;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;

/// Runs probes and hooks, each on a virtual thread of its own.
final class NodeErrands implements Errands {
  /// A hook has no time-out of its own: whoever waits for it gives up when the grace is over.
  private static final Duration LONGEST_HOOK = Duration.ofMinutes(10);

  private final Prober prober;
  private final ProbeCounter counter;
  private final Drain drain;
  private final Pacer pacer;

  NodeErrands(Prober prober, ProbeCounter counter, Drain drain, Pacer pacer) {
    this.prober = prober;
    this.counter = counter;
    this.drain = drain;
    this.pacer = pacer;
  }

  @Override
  public void drain(Pod pod, Duration limit, Consumer<Optional<String>> end) {
    Thread.ofVirtual()
        .name("drain " + pod.key())
        .start(
            () -> {
              try {
                end.accept(drain.await(pod, limit));
              } catch (InterruptedException _) {
                Thread.currentThread().interrupt();
              }
            });
  }

  @Override
  public void probe(
      Pod pod,
      Container container,
      String containerId,
      String address,
      Probe.Kind kind,
      Probe probe,
      Consumer<Outcome> answer) {
    Thread.ofVirtual()
        .name("probe " + pod.key() + " " + container.name())
        .start(
            () -> {
              Outcome outcome =
                  ask(probe.action(), container, containerId, address, probe.timeout());
              counter.count(pod, container, kind, outcome);
              answer.accept(outcome);
            });
  }

  @Override
  public void hook(
      Pod pod,
      Container container,
      String containerId,
      String address,
      Action action,
      Consumer<Optional<String>> end) {
    Thread.ofVirtual()
        .name("hook " + pod.key() + " " + container.name())
        .start(() -> end.accept(run(container, containerId, address, action)));
  }

  private Optional<String> run(
      Container container, String containerId, String address, Action action) {
    if (action instanceof Action.Sleep(long seconds)) {
      try {
        pacer.pause(Duration.ofSeconds(seconds));
      } catch (InterruptedException _) {
        Thread.currentThread().interrupt();
      }
      return Optional.empty();
    }
    return switch (ask(action, container, containerId, address, LONGEST_HOOK)) {
      case Outcome.Success _ -> Optional.empty();
      case Outcome.Failure(String text) -> Optional.of(text);
      case Outcome.Unasked(String text) -> Optional.of(text);
    };
  }

  private Outcome ask(
      Action action, Container container, String id, String address, Duration timeout) {
    try {
      return prober.ask(action, container, id, address, timeout);
    } catch (RuntimeException e) {
      return new Outcome.Unasked(String.valueOf(e.getMessage()));
    }
  }
}
