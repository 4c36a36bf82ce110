package io.fairlead.server.resources.admission;

import io.fairlead.server.cel.CelType;
import java.util.HashMap;
import java.util.Map;

/// The types of what expressions of admission know of a request, beside its objects.
final class RequestTypes {
  private static final CelType TEXTS = CelType.list(CelType.STRING);
  private static final CelType LABELS = CelType.map(CelType.STRING, CelType.STRING);

  /// `request`, `namespaceObject` and the authorizer.
  static final Map<String, CelType> VARIABLES =
      Map.of(
          "request",
          request(),
          "namespaceObject",
          namespace(),
          "authorizer",
          CelType.AUTHORIZER,
          "authorizer.requestResource",
          CelType.RESOURCE_CHECK);

  private RequestTypes() {}

  private static CelType texts(String name, String... members) {
    Map<String, CelType> fields = new HashMap<>();
    for (String member : members) {
      fields.put(member, CelType.STRING);
    }
    return CelType.object(name, fields);
  }

  private static CelType with(CelType object, Map<String, CelType> more) {
    Map<String, CelType> fields = new HashMap<>(object.fields());
    fields.putAll(more);
    return CelType.object(object.name(), fields);
  }

  private static CelType request() {
    CelType kind = texts("kubernetes.GroupVersionKind", "group", "version", "kind");
    CelType resource = texts("kubernetes.GroupVersionResource", "group", "version", "resource");
    CelType user =
        with(
            texts("kubernetes.UserInfo", "username", "uid"),
            Map.of("groups", TEXTS, "extra", CelType.map(CelType.STRING, TEXTS)));
    return with(
        texts(
            "kubernetes.AdmissionRequest",
            "subResource",
            "requestSubResource",
            "name",
            "namespace",
            "operation"),
        Map.of(
            "kind",
            kind,
            "resource",
            resource,
            "requestKind",
            kind,
            "requestResource",
            resource,
            "userInfo",
            user,
            "dryRun",
            CelType.BOOL,
            "options",
            CelType.DYN));
  }

  private static CelType namespace() {
    CelType metadata =
        with(
            texts(
                "kubernetes.NamespaceMetadata",
                "name",
                "generateName",
                "namespace",
                "UID",
                "resourceVersion"),
            Map.of(
                "labels",
                LABELS,
                "annotations",
                LABELS,
                "creationTimestamp",
                CelType.TIMESTAMP,
                "deletionTimestamp",
                CelType.TIMESTAMP,
                "deletionGracePeriodSeconds",
                CelType.INT,
                "generation",
                CelType.INT,
                "finalizers",
                TEXTS));
    return CelType.object(
        "kubernetes.Namespace",
        Map.of(
            "metadata",
            metadata,
            "spec",
            CelType.object("kubernetes.NamespaceSpec", Map.of("finalizers", TEXTS)),
            "status",
            texts("kubernetes.NamespaceStatus", "phase")));
  }
}
