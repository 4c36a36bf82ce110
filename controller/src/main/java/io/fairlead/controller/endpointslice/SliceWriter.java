package io.fairlead.controller.endpointslice;

import io.fairlead.api.status.ApiException;
import io.fairlead.client.ApiErrors;
import io.fairlead.client.Client;
import io.fairlead.client.DeleteOptions;
import io.fairlead.client.ObjectKey;
import io.fairlead.client.ObjectMeta;
import io.fairlead.client.ResourceType;
import io.fairlead.controller.runtime.ReadYourWrites;
import io.fairlead.controller.serving.Service;
import io.fairlead.work.Ticker;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.node.ObjectNode;

/// Carries out plans. Stops at the first write that fails; what was written stays and the next run
/// goes on from there.
final class SliceWriter {
  private static final ResourceType TYPE = ResourceType.ENDPOINT_SLICES;

  /// How it went.
  sealed interface Outcome {
    record Written() implements Outcome {}

    /// The namespace is being deleted: nothing more is to be done.
    record NamespaceGoes() implements Outcome {}

    record Failed(String why) implements Outcome {}
  }

  private final Client client;
  private final ReadYourWrites<ObjectKey> freshness;
  private final EndpointSliceTracker ownWrites;
  private final EndpointRecorder recorder;
  private final Ticker ticker;

  SliceWriter(
      Client client,
      ReadYourWrites<ObjectKey> freshness,
      EndpointSliceTracker ownWrites,
      EndpointRecorder recorder,
      Ticker ticker) {
    this.client = client;
    this.freshness = freshness;
    this.ownWrites = ownWrites;
    this.recorder = recorder;
    this.ticker = ticker;
  }

  Outcome write(FamilyPlan plan, Service service, Optional<Instant> trigger) {
    ObjectKey key = service.key();
    String doing = "create EndpointSlice";
    try {
      if (!service.metadata().beingDeleted()) {
        for (SliceDraft draft : plan.creates()) {
          ObjectNode body = SliceBody.of(draft, service, trigger);
          long start = ticker.nanos();
          ObjectMeta stored = note(key, client.create(TYPE, key.namespace(), body));
          record(service, draft, stored, trigger, start);
        }
      }
      for (SliceDraft draft : plan.updates()) {
        doing =
            "update "
                + draft.base().map(base -> base.metadata().name()).orElse("")
                + " EndpointSlice";
        long start = ticker.nanos();
        ObjectMeta stored = note(key, client.update(TYPE, SliceBody.of(draft, service, trigger)));
        record(service, draft, stored, trigger, start);
      }
      for (Slice slice : plan.deletes()) {
        doing = "delete " + slice.metadata().name() + " EndpointSlice";
        delete(key, slice);
      }
      return new Outcome.Written();
    } catch (ApiException e) {
      return ApiErrors.isNamespaceTerminating(e)
          ? new Outcome.NamespaceGoes()
          : new Outcome.Failed(
              "failed to " + doing + " for Service " + key + ": " + e.getMessage());
    }
  }

  private void record(
      Service service, SliceDraft draft, ObjectMeta stored, Optional<Instant> trigger, long start) {
    recorder.wrote(
        service,
        draft.base().map(Slice::endpoints).orElse(List.of()),
        draft.endpoints(),
        draft.addressType(),
        stored,
        trigger,
        Duration.ofNanos(ticker.nanos() - start));
  }

  private ObjectMeta note(ObjectKey service, ObjectNode answer) {
    ObjectMeta stored = ObjectMeta.of(answer);
    ownWrites.wrote(stored.uid(), stored.resourceVersion());
    freshness.wrote(service, stored.resourceVersion());
    return stored;
  }

  private void delete(ObjectKey service, Slice slice) {
    try {
      client.delete(
          TYPE,
          slice.metadata().key(),
          DeleteOptions.DEFAULT
              .onlyUid(slice.uid())
              .onlyVersion(slice.metadata().resourceVersion()));
    } catch (ApiException e) {
      if (!ApiErrors.isNotFound(e)) {
        throw e;
      }
    }
    ownWrites.deleted(service, slice.uid());
  }
}
