package io.fairlead.agent;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.agent.lifecycle.Errands;
import io.fairlead.agent.lifecycle.PodFiles;
import io.fairlead.agent.lifecycle.Reports;
import io.fairlead.agent.lifecycle.Settings;
import io.fairlead.agent.lifecycle.Surroundings;
import io.fairlead.agent.pod.Action;
import io.fairlead.agent.pod.Container;
import io.fairlead.agent.pod.Pod;
import io.fairlead.agent.pod.Probe;
import io.fairlead.agent.probe.Outcome;
import io.fairlead.agent.runtime.ContainerConfig;
import io.fairlead.agent.runtime.SandboxConfig;
import io.fairlead.agent.status.PodStatus;
import io.fairlead.agent.testing.Behaviour;
import io.fairlead.agent.testing.FakeRuntime;
import io.fairlead.api.yaml.Yaml;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
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
    PodWorker worker = new PodWorker(OVER, surroundings(), forgotten::complete);
    worker.start();
    worker.vanished(Duration.ZERO);
    assertThat(forgotten.get(1, TimeUnit.MINUTES)).isSameAs(worker);
    worker.close();
  }

  /// Looks at a pod where nothing happens once in an hour.
  private static Surroundings surroundings() {
    Settings rarely =
        new Settings(
            Settings.DEFAULT.crash(),
            Settings.DEFAULT.image(),
            Duration.ofHours(1),
            Duration.ofHours(1));
    return new Surroundings(
        new FakeRuntime(InstantSource.system(), (_, _) -> Behaviour.SERVES),
        new NoFiles(),
        new Unheard(),
        new NoErrands(),
        new PodStatus("fake://", List.of("192.168.0.1")),
        InstantSource.system(),
        RandomGenerator.getDefault(),
        rarely);
  }

  private static final class Unheard implements Reports {
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

  private static final class NoErrands implements Errands {
    @Override
    public void probe(
        Pod pod,
        Container container,
        String containerId,
        String address,
        Probe.Kind kind,
        Probe probe,
        Consumer<Outcome> answer) {
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
        Action action,
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
