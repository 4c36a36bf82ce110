package io.fairlead.controller.auth;

import io.fairlead.client.ApiObject;
import io.fairlead.client.Client;
import io.fairlead.client.ObjectKey;
import io.fairlead.client.ResourceType;
import io.fairlead.client.informer.ChangeHandler;
import io.fairlead.client.informer.Informer;
import io.fairlead.client.informer.ListWatchFactory;
import io.fairlead.client.informer.TimingSources;
import io.fairlead.client.informer.WorkQueue;
import io.fairlead.controller.runtime.Controller;
import io.fairlead.controller.runtime.ControllerLoop;
import io.fairlead.controller.runtime.Reconciler;
import io.fairlead.work.Backoff;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// Keeps the rules of aggregated cluster roles equal to the union of their parts. A change of any
/// role looks again at the few that aggregate; nothing is written when the rules are right.
public final class ClusterRoleAggregationController implements Controller {
  private static final String AGGREGATES = "aggregates";
  private static final ResourceType TYPE = ResourceType.CLUSTER_ROLES;
  private static final Backoff BACKOFF =
      new Backoff(Duration.ofMillis(5), Duration.ofSeconds(1000));

  private final Client client;
  private final Informer<ApiObject> roles;
  private final WorkQueue<ObjectKey> queue;
  private final ControllerLoop<ObjectKey> loop;

  public ClusterRoleAggregationController(Client client, TimingSources pacing) {
    this.client = client;
    this.queue = new WorkQueue<>(pacing.ticker(), BACKOFF);
    this.roles =
        new Informer<>(ListWatchFactory.objects(client, TYPE, "", ""), ApiObject::of, pacing);
    roles.addIndex(
        AGGREGATES, role -> AggregatedRules.aggregates(role) ? List.of("yes") : List.of());
    this.loop =
        new ControllerLoop<>("clusterrole-aggregation", queue, this::reconcile, List.of(roles));
  }

  @Override
  public void start() {
    roles.onChange(ChangeHandler.of(_ -> enqueueAll(), _ -> enqueueAll()));
    roles.start();
    loop.start(1);
  }

  @Override
  public ControllerLoop<ObjectKey> loop() {
    return loop;
  }

  @Override
  public void close() {
    loop.close();
    roles.close();
  }

  private void enqueueAll() {
    roles.find(AGGREGATES, "yes").forEach(role -> queue.add(role.metadata().key()));
  }

  private Reconciler.Result reconcile(ObjectKey key) {
    Optional<ApiObject> role = roles.get(key);
    if (role.isEmpty()) {
      return Reconciler.DONE;
    }
    Optional<ArrayNode> wanted = AggregatedRules.of(role.get(), roles.list());
    JsonNode present = role.get().body().path("rules");
    boolean right =
        wanted.isEmpty()
            || wanted.get().equals(present)
            || (wanted.get().isEmpty() && present.isEmpty());
    if (!right) {
      ObjectNode changed = role.get().body().deepCopy();
      changed.set("rules", wanted.get());
      client.update(TYPE, changed);
    }
    return Reconciler.DONE;
  }
}
