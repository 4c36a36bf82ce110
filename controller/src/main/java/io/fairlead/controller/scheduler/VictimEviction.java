package io.fairlead.controller.scheduler;

import io.fairlead.api.status.ApiException;
import io.fairlead.client.ApiErrors;
import io.fairlead.client.Client;
import io.fairlead.client.DeleteOptions;
import io.fairlead.client.ObjectRef;
import io.fairlead.client.ResourceType;
import io.fairlead.client.events.EventRecorder;
import io.fairlead.client.events.ObjectEvent;
import io.fairlead.controller.workload.Disruption;
import java.time.InstantSource;

/// Ends pods for a more important one: says so in their status and in an event, then deletes them
/// with the time they have to end.
record VictimEviction(Client client, EventRecorder events, InstantSource clock) {
  private static final String REASON = "PreemptionByScheduler";

  void evict(Preemption.Victims victims, PodInfo preemptor) {
    for (PodInfo victim : victims.pods()) {
      if (!victim.metadata().beingDeleted()) {
        evict(victim, preemptor, victims.node());
      }
    }
  }

  private void evict(PodInfo victim, PodInfo preemptor, String node) {
    String why = preemptor.schedulerName() + ": preempting to accommodate a higher priority pod";
    if (!Disruption.mark(client, victim.metadata(), REASON, why, false, clock.instant())) {
      return;
    }
    try {
      client.delete(
          ResourceType.PODS, victim.key(), DeleteOptions.DEFAULT.onlyUid(victim.metadata().uid()));
    } catch (ApiException e) {
      if (ApiErrors.isNotFound(e)) {
        return;
      }
      throw e;
    }
    events.record(
        ObjectEvent.normal(
            new ObjectRef(ResourceType.PODS, victim.key(), victim.metadata().uid()),
            "Preempted",
            "Preempted by pod " + preemptor.metadata().uid() + " on node " + node));
  }
}
