package io.fairlead.insight.gather;

import io.fairlead.client.ListOptions;
import io.fairlead.client.ObjectKey;
import io.fairlead.client.RawObject;
import io.fairlead.client.ResourceType;
import io.fairlead.client.objects.FieldMask;
import io.fairlead.client.objects.V1EndpointSlice;
import io.fairlead.client.objects.V1Node;
import io.fairlead.client.objects.V1Pod;
import io.fairlead.insight.evidence.Evidence;
import io.fairlead.insight.evidence.ServiceFacts;
import io.fairlead.insight.evidence.Unseen;
import io.fairlead.insight.evidence.Why;
import io.fairlead.insight.progress.NodeProgress;
import io.fairlead.insight.progress.ProgressGoal;
import io.fairlead.insight.progress.ServiceState;
import io.fairlead.insight.progress.WaitCondition;
import io.fairlead.insight.progress.WaitResult;
import io.fairlead.work.Pacer;
import io.fairlead.work.Ticker;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import tools.jackson.databind.node.ObjectNode;

/// Waits until a Service is as far as a caller wants it.
///
/// How it works: objects are read again and again until the slices show the pods; their versions
/// are then the goal, which does not move any more. After that only nodes are asked.
public final class ServiceWait {
  private static final Duration GLANCE = Duration.ofMillis(100);
  private static final int MANY = 5000;

  private final Sources sources;
  private final InstantSource clock;
  private final Ticker ticker;
  private final Pacer pacer;
  private final Settings settings;

  /// @param nodes which must be programmed; empty for all whose proxies live
  /// @param domain of the cluster's names
  /// @param nameServer the address of the DNS server, when a name is waited for
  public record Settings(
      Duration timeout, List<String> nodes, String domain, Supplier<Optional<String>> nameServer) {
    public Settings {
      nodes = List.copyOf(nodes);
    }
  }

  public ServiceWait(
      Sources sources, InstantSource clock, Ticker ticker, Pacer pacer, Settings settings) {
    this.sources = sources;
    this.clock = clock;
    this.ticker = ticker;
    this.pacer = pacer;
    this.settings = settings;
  }

  public WaitResult await(ObjectKey service, WaitCondition condition) {
    return new Round(service, condition, ticker.nanos()).run();
  }

  /// One time of waiting.
  private final class Round {
    private final ObjectKey key;
    private final WaitCondition condition;
    private final long start;
    private String detail = "";
    private Optional<Why> blind = Optional.empty();

    Round(ObjectKey key, WaitCondition condition, long start) {
      this.key = key;
      this.condition = condition;
      this.start = start;
    }

    WaitResult run() {
      try {
        do {
          Evidence<Optional<ServiceState>> state = state();
          blind = state instanceof Unseen<?> unseen ? Optional.of(unseen.why()) : Optional.empty();
          Optional<ServiceState> known = state.value().flatMap(found -> found);
          if (known.isEmpty() && blind.isEmpty()) {
            return result(WaitResult.State.ABSENT);
          }
          if (known.isPresent()) {
            Optional<WaitResult> ended = judge(known.get());
            if (ended.isPresent()) {
              return ended.get();
            }
          }
          pacer.pause(GLANCE);
        } while (!isOver());
        return result(blind.isPresent() ? WaitResult.State.UNSEEN : WaitResult.State.LATE);
      } catch (InterruptedException _) {
        Thread.currentThread().interrupt();
        return result(WaitResult.State.INTERRUPTED);
      }
    }

    /// The end, when the condition holds or never will.
    private Optional<WaitResult> judge(ServiceState state) throws InterruptedException {
      switch (condition.kind()) {
        case PROGRAMMED -> {
          detail = String.join(", ", state.behind());
          return detail.isEmpty() ? Optional.of(programmed(state)) : Optional.empty();
        }
        case READY, SERVING -> {
          int wanted = condition.kind() == WaitCondition.Kind.READY ? 1 : condition.endpoints();
          int ready = state.readyEndpoints();
          detail = ready + "/" + wanted;
          return ready >= wanted ? Optional.of(result(WaitResult.State.DONE)) : Optional.empty();
        }
        case NAME -> {
          return resolves(state) ? Optional.of(result(WaitResult.State.DONE)) : Optional.empty();
        }
      }
      throw new IllegalStateException(condition.toString());
    }

    private boolean resolves(ServiceState state) {
      Optional<String> server = settings.nameServer().get();
      if (server.isEmpty()) {
        detail = "there is no Service kube-system/kube-dns";
        return false;
      }
      return sources
          .resolve(server.get(), state.service().fqdn(settings.domain()) + ".")
          .value()
          .filter(
              answer -> {
                detail = answer.rcode() + " " + String.join(", ", answer.addresses());
                return state.isRightAnswer(answer);
              })
          .isPresent();
    }

    private WaitResult programmed(ServiceState state) throws InterruptedException {
      ProgressGoal goal = state.goal();
      if (!state.otherProxy().isEmpty()) {
        detail = "service-proxy-name " + state.otherProxy();
        return result(WaitResult.State.FOREIGN);
      }
      if (!goal.isOrdered()) {
        detail = "resourceVersion " + goal.services();
        return result(WaitResult.State.FOREIGN);
      }
      NodeRounds nodes = new NodeRounds(sources, clock, ticker, start, goal);
      while (true) {
        List<String> silent = nodes.ask(settings.nodes(), left());
        if (!silent.isEmpty()) {
          detail = String.join(", ", silent);
          return result(WaitResult.State.FOREIGN, goal, nodes);
        }
        if (nodes.isDone()) {
          return result(WaitResult.State.DONE, goal, nodes);
        }
        if (isOver()) {
          return result(WaitResult.State.LATE, goal, nodes);
        }
        pacer.pause(GLANCE);
      }
    }

    private Duration left() {
      return settings.timeout().minusNanos(ticker.nanos() - start);
    }

    private boolean isOver() {
      return !left().isPositive();
    }

    private WaitResult result(WaitResult.State state) {
      return new WaitResult(
          key, condition, state, millis(), Optional.empty(), List.of(), List.of(), detail, blind);
    }

    private WaitResult result(WaitResult.State state, ProgressGoal goal, NodeRounds nodes) {
      List<NodeProgress> all = nodes.progress();
      return new WaitResult(
          key,
          condition,
          state,
          millis(),
          Optional.of(goal),
          all,
          nodes.left(),
          detail,
          Optional.empty());
    }

    private long millis() {
      return (ticker.nanos() - start) / 1_000_000;
    }

    /// What the API has now; empty when there is no such Service.
    private Evidence<Optional<ServiceState>> state() {
      Evidence<Optional<ObjectNode>> found = sources.find(ResourceType.SERVICES, key);
      Optional<ServiceFacts> facts = found.value().flatMap(one -> one).map(ServiceFacts::of);
      if (facts.isEmpty()) {
        return found.map(_ -> Optional.empty());
      }
      ServiceFacts service = facts.get();
      Evidence<List<V1EndpointSlice>> slices =
          sources.list(
              ResourceType.ENDPOINT_SLICES,
              key.namespace(),
              ListOptions.ALL.labelled(V1EndpointSlice.SERVICE_LABEL + "=" + key.name()),
              MANY,
              one -> RawObject.of(one).read(in -> V1EndpointSlice.read(in, FieldMask.ALL)));
      List<V1Pod> pods = List.of();
      List<V1Node> nodes = List.of();
      if (service.selecting().selectsPods()) {
        pods = selected(service);
        nodes =
            sources
                .list(ResourceType.NODES, "", ListOptions.ALL, MANY, V1Node::of)
                .value()
                .orElse(List.of());
      }
      List<V1Pod> selected = pods;
      List<V1Node> machines = nodes;
      return slices.map(list -> Optional.of(new ServiceState(service, list, selected, machines)));
    }

    private List<V1Pod> selected(ServiceFacts service) {
      return sources
          .list(
              ResourceType.PODS,
              key.namespace(),
              ListOptions.ALL.labelled(service.selector()),
              MANY,
              V1Pod::of)
          .value()
          .orElse(List.of());
    }
  }
}
