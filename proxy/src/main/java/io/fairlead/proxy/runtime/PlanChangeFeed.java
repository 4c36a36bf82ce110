package io.fairlead.proxy.runtime;

import io.fairlead.api.net.IpAddress;
import io.fairlead.client.Client;
import io.fairlead.client.informer.ChangeHandler;
import io.fairlead.client.informer.TimingSources;
import io.fairlead.proxy.core.NodeFacts;
import io.fairlead.proxy.core.Plan;
import io.fairlead.proxy.core.PlanDiff;
import io.fairlead.proxy.tracking.Planner;
import io.fairlead.work.SupervisedLoop;
import java.time.InstantSource;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.Semaphore;
import java.util.function.Consumer;

/// Says what the rules of a node are to be when another program writes them, such as kube-proxy:
/// that program follows the same Services and is taken to be as quick. For parts that need the plan
/// alone.
///
/// Informers' threads fold events into planners; the loop `plan-changes` hands on what follows from
/// them.
public final class PlanChangeFeed implements AutoCloseable {
  static final String LOOP = "plan-changes";

  private final ServiceInformers informers;
  private final Consumer<PlanDiff> receiver;
  private final Map<IpAddress.Family, Planner> planners = new EnumMap<>(IpAddress.Family.class);
  private final SupervisedLoop loop;
  // Permits: one when something has changed since the loop last looked.
  private final Semaphore changes = new Semaphore(0);
  // Owned by the loop's thread.
  private final Map<IpAddress.Family, Plan> plans = new EnumMap<>(IpAddress.Family.class);

  /// @param receiver gets every change of a plan, of both families, on the loop's thread
  public PlanChangeFeed(
      Client client,
      String node,
      InstantSource clock,
      TimingSources pacing,
      Consumer<PlanDiff> receiver) {
    this.informers = new ServiceInformers(client, pacing);
    this.receiver = receiver;
    for (IpAddress.Family family : IpAddress.Family.values()) {
      NodeFacts facts =
          NodeFacts.of(node, IpAddress.parse(family == IpAddress.Family.IPV4 ? "0.0.0.0" : "::"));
      planners.put(family, new Planner(facts, clock.instant()));
      plans.put(family, Plan.empty(facts));
    }
    this.loop = SupervisedLoop.of(LOOP).build(this::step);
  }

  /// Begins. Waits for the API as long as it takes.
  public void start() throws InterruptedException {
    informers
        .services()
        .onChange(
            ChangeHandler.of(
                service -> each(planner -> planner.put(service)),
                service -> each(planner -> planner.removeService(service.metadata().key()))));
    informers
        .slices()
        .onChange(
            ChangeHandler.of(
                slice -> each(planner -> planner.put(slice)),
                slice -> each(planner -> planner.removeSlice(slice.metadata().key()))));
    informers.start();
    informers.services().awaitSync();
    informers.slices().awaitSync();
    loop.start();
  }

  private void each(Consumer<Planner> change) {
    planners.values().forEach(change);
    if (changes.availablePermits() == 0) {
      changes.release();
    }
  }

  private void step() throws InterruptedException {
    planners.forEach(
        (family, planner) -> {
          Plan before = plans.getOrDefault(family, Plan.empty(planner.node()));
          Plan next = planner.plan().plan();
          receiver.accept(PlanDiff.between(before, next));
          plans.put(family, next);
        });
    changes.acquire();
    int _ = changes.drainPermits();
  }

  @Override
  public void close() {
    loop.close();
    informers.close();
  }
}
