package io.fairlead.agent;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.agent.lifecycle.AsyncTasks;
import io.fairlead.agent.lifecycle.PodFiles;
import io.fairlead.agent.lifecycle.PodReporter;
import io.fairlead.agent.lifecycle.PodWorkerDependencies;
import io.fairlead.agent.lifecycle.PodWorkerSettings;
import io.fairlead.agent.lifecycle.PolicyProgress;
import io.fairlead.agent.pod.Container;
import io.fairlead.agent.pod.HandlerAction;
import io.fairlead.agent.pod.Pod;
import io.fairlead.agent.pod.Probe;
import io.fairlead.agent.probe.ProbeOutcome;
import io.fairlead.agent.runtime.ContainerConfig;
import io.fairlead.agent.runtime.SandboxConfig;
import io.fairlead.agent.status.PodStatusGenerator;
import io.fairlead.agent.testing.Behaviour;
import io.fairlead.agent.testing.FakeRuntime;
import io.fairlead.api.yaml.Yaml;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

class PodWorkerTest {
  private static final Pod OVER =
      Pod.of(
          (ObjectNode)
              Yaml.parse(
                  """
                  metadata: {name: p, namespace: ns, uid: u1}
                  spec: {restartPolicy: Never, containers: [{name: c, image: i}]}
                  status: {phase: Succeeded}
                  """));

  @Test
  void aPodThatIsGoneIsForgottenBeforeTheNextLookIsDue() throws Exception {
    CompletableFuture<PodWorker> forgotten = new CompletableFuture<>();
    PodWorker worker = new PodWorker(OVER, dependencies(), forgotten::complete);
    worker.start();
    worker.vanished(Duration.ZERO);
    assertThat(forgotten.get(1, TimeUnit.MINUTES)).isSameAs(worker);
    worker.close();
  }

  @Test
  void mailThatThrowsOnceIsDeliveredAgain() throws Exception {
    CompletableFuture<Void> delivered = new CompletableFuture<>();
    AtomicBoolean thrown = new AtomicBoolean();
    PodWorker worker = new PodWorker(OVER, dependencies(), _ -> {});
    worker.start();
    worker.execute(
        () -> {
          if (thrown.compareAndSet(false, true)) {
            throw new IllegalStateException("unexpected");
          }
          delivered.complete(null);
        });
    delivered.get(1, TimeUnit.MINUTES);
    worker.close();
  }

  @Test
  void mailThatAlwaysThrowsDoesNotEndThePodsWorker() throws Exception {
    CompletableFuture<PodWorker> forgotten = new CompletableFuture<>();
    PodWorker worker = new PodWorker(OVER, dependencies(), forgotten::complete);
    worker.start();
    worker.execute(
        () -> {
          throw new IllegalStateException("unexpected");
        });
    worker.vanished(Duration.ZERO);
    assertThat(forgotten.get(1, TimeUnit.MINUTES)).isSameAs(worker);
    worker.close();
  }

  @Test
  void aFaultInALookDoesNotEndThePodsWorker() throws Exception {
    CompletableFuture<PodWorker> forgotten = new CompletableFuture<>();
    AtomicBoolean thrown = new AtomicBoolean();
    PodWorker worker =
        new PodWorker(
            OVER,
            dependencies(),
            one -> {
              if (thrown.compareAndSet(false, true)) {
                throw new IllegalStateException("unexpected");
              }
              forgotten.complete(one);
            });
    worker.start();
    worker.vanished(Duration.ZERO);
    assertThat(forgotten.get(1, TimeUnit.MINUTES)).isSameAs(worker);
    worker.close();
  }

  /// Looks at a pod where nothing happens once in an hour.
  private static PodWorkerDependencies dependencies() {
    PodWorkerSettings rarely =
        new PodWorkerSettings(
            PodWorkerSettings.DEFAULT.crash(),
            PodWorkerSettings.DEFAULT.image(),
            PodWorkerSettings.DEFAULT.making(),
            Duration.ofHours(1),
            Duration.ofHours(1));
    return new PodWorkerDependencies(
        new FakeRuntime(InstantSource.system(), (_, _) -> Behaviour.SERVES),
        new NoFiles(),
        new Unheard(),
        new NoTasks(),
        PolicyProgress.NONE,
        new PodStatusGenerator("fake://", List.of("192.168.0.1")),
        InstantSource.system(),
        RandomGenerator.getDefault(),
        rarely);
  }

  private static final class Unheard implements PodReporter {
    @Override
    public void hurry(Pod pod) {}

    @Override
    public Optional<String> acceptedVersion(Pod pod, List<String> addresses) {
      return Optional.empty();
    }

    @Override
    public void event(Pod pod, boolean warning, String reason, String message) {}

    @Override
    public void status(Pod pod, ObjectNode status) {}

    @Override
    public boolean settled(Pod pod) {
      return true;
    }

    @Override
    public void remove(Pod pod) {}
  }

  private static final class NoTasks implements AsyncTasks {
    @Override
    public void probe(
        Pod pod,
        Container container,
        String containerId,
        String address,
        Probe.Kind kind,
        Probe probe,
        Consumer<ProbeOutcome> answer) {
      throw new AssertionError("a pod that is over is not asked");
    }

    @Override
    public void drain(Pod pod, Duration limit, Consumer<Optional<String>> end) {
      throw new AssertionError("a pod that is over is not drained");
    }

    @Override
    public void hook(
        Pod pod,
        Container container,
        String containerId,
        String address,
        HandlerAction action,
        Consumer<Optional<String>> end) {
      throw new AssertionError("a pod that is over has no hooks");
    }
  }

  private static final class NoFiles implements PodFiles {
    @Override
    public void prepare(Pod pod) {
      throw new AssertionError("a pod that is over is not started");
    }

    @Override
    public SandboxConfig sandbox(Pod pod, int attempt) {
      throw new AssertionError("a pod that is over is not started");
    }

    @Override
    public ContainerConfig container(
        Pod pod, Container container, int attempt, List<String> addresses) {
      throw new AssertionError("a pod that is over is not started");
    }

    @Override
    public void remove(Pod pod) {}
  }
}
