package io.fairlead.server.rest;

import io.fairlead.server.admission.AdmissionRequest;
import io.fairlead.server.admission.QuotaAdmission;
import io.fairlead.server.resource.Resource;
import io.fairlead.store.Write;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/// The writes that charge an object to the quotas of its namespace, in the commit of the object.
final class QuotaCharges {
  private final @Nullable Resource quotas;

  QuotaCharges(RestDependencies core) {
    this.quotas = core.registry().find(QuotaAdmission.GROUP, QuotaAdmission.PLURAL);
  }

  /// @throws io.fairlead.api.status.ApiException 403 when a quota is exceeded
  List<Write> charge(AdmissionRequest request) {
    Resource resource = quotas;
    if (resource == null) {
      return List.of();
    }
    List<Write> writes = new ArrayList<>();
    for (ObjectNode quota : QuotaAdmission.charge(request)) {
      long revision = Long.parseLong(ObjectMetadata.resourceVersion(quota));
      String key =
          resource.descriptor().key(request.context().namespace(), ObjectMetadata.name(quota));
      writes.add(StoredObjects.put(resource, key, quota, revision));
    }
    return writes;
  }
}
