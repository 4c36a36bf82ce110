package io.fairlead.server.rest;

import io.fairlead.server.request.RequestInfo;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// What the API stores although none of Fairlead's own components acts on it. A write of it is
/// answered with a warning where these components are all there are. The page `docs/unserved.md`
/// lists the same; a test holds the two together.
public final class UnservedResources {
  /// One of them.
  ///
  /// @param resource the plural name, with its subresource if it is about one
  /// @param kind what users call it
  /// @param effect what does not happen
  public record Row(String group, String resource, String kind, String effect) {
    /// What the warning says.
    String warning() {
      return "nothing acts on "
          + kind
          + " here: "
          + effect
          + ", unless another program sees to it (docs/unserved.md)";
    }
  }

  /// All of them, in the order of the page.
  public static final List<Row> ALL =
      List.of(
          new Row(
              "autoscaling",
              "horizontalpodautoscalers",
              "HorizontalPodAutoscaler",
              "it scales nothing"),
          new Row(
              "",
              "persistentvolumeclaims",
              "PersistentVolumeClaim",
              "it is bound to a volume made by hand, but no node mounts that"),
          new Row(
              "",
              "persistentvolumes",
              "PersistentVolume",
              "it is bound to claims, but no node mounts it"),
          new Row(
              "storage.k8s.io", "storageclasses", "StorageClass", "no volume is made for a claim"),
          new Row("storage.k8s.io", "csidrivers", "CSIDriver", "no node calls a driver"),
          new Row("storage.k8s.io", "volumeattachments", "VolumeAttachment", "nothing is attached"),
          new Row(
              "storage.k8s.io",
              "volumeattributesclasses",
              "VolumeAttributesClass",
              "no volume changes"),
          new Row("networking.k8s.io", "ingresses", "Ingress", "no request reaches it"),
          new Row("networking.k8s.io", "ingressclasses", "IngressClass", "no Ingress is served"),
          new Row(
              "node.k8s.io",
              "runtimeclasses",
              "RuntimeClass",
              "nodes run its pods with the handler they always use"),
          new Row("resource.k8s.io", "resourceclaims", "ResourceClaim", "no device is allocated"),
          new Row(
              "resource.k8s.io",
              "resourceclaimtemplates",
              "ResourceClaimTemplate",
              "no claim is made from it"),
          new Row("resource.k8s.io", "deviceclasses", "DeviceClass", "no device is chosen by it"));

  private static final Set<String> WRITES = Set.of("create", "update", "patch");

  private UnservedResources() {}

  /// The warning for a request; empty when it writes nothing of the sort.
  static Optional<String> warning(RequestInfo info) {
    if (!WRITES.contains(info.verb())) {
      return Optional.empty();
    }
    String resource =
        info.subresource().isEmpty() ? info.resource() : info.resource() + "/" + info.subresource();
    return ALL.stream()
        .filter(row -> row.group().equals(info.group()) && row.resource().equals(resource))
        .map(Row::warning)
        .findFirst();
  }
}
