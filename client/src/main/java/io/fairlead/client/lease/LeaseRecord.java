package io.fairlead.client.lease;

import io.fairlead.api.json.Json;
import tools.jackson.databind.node.ObjectNode;

/// What a Lease says about who leads.
///
/// @param holder empty when no process does
public record LeaseRecord(
    String holder, int durationSeconds, String acquireTime, String renewTime, int transitions) {

  static LeaseRecord of(ObjectNode lease) {
    return new LeaseRecord(
        Json.textOr(lease, "", "spec", "holderIdentity"),
        lease.path("spec").path("leaseDurationSeconds").asInt(0),
        Json.textOr(lease, "", "spec", "acquireTime"),
        Json.textOr(lease, "", "spec", "renewTime"),
        lease.path("spec").path("leaseTransitions").asInt(0));
  }

  void writeTo(ObjectNode lease) {
    Json.child(lease, "spec")
        .put("holderIdentity", holder)
        .put("leaseDurationSeconds", durationSeconds)
        .put("acquireTime", acquireTime)
        .put("renewTime", renewTime)
        .put("leaseTransitions", transitions);
  }
}
