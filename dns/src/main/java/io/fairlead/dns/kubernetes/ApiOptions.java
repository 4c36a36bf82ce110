package io.fairlead.dns.kubernetes;

/// Where the API server is. All empty: as a pod finds it.
///
/// @param context of the kubeconfig; empty for its current one
public record ApiOptions(
    String kubeconfig,
    String context,
    String endpoint,
    String certificate,
    String key,
    String authority) {
  static final ApiOptions IN_CLUSTER = new ApiOptions("", "", "", "", "", "");
}
