package io.fairlead.client;

import io.fairlead.client.transport.ApiRequest;

/// One kind of object, as far as addressing it goes.
///
/// @param group empty for the core group
/// @param plural the name in paths, `services`
/// @param kind the name in objects, `Service`
public record ResourceType(
    String group, String version, String plural, String kind, boolean namespaced) {

  public static final ResourceType NAMESPACES = core("namespaces", "Namespace", false);
  public static final ResourceType PODS = core("pods", "Pod", true);
  public static final ResourceType SERVICES = core("services", "Service", true);
  public static final ResourceType NODES = core("nodes", "Node", false);
  public static final ResourceType ENDPOINTS = core("endpoints", "Endpoints", true);
  public static final ResourceType ENDPOINT_SLICES =
      new ResourceType("discovery.k8s.io", "v1", "endpointslices", "EndpointSlice", true);
  public static final ResourceType EVENTS = core("events", "Event", true);
  public static final ResourceType CONFIG_MAPS = core("configmaps", "ConfigMap", true);
  public static final ResourceType SECRETS = core("secrets", "Secret", true);
  public static final ResourceType SERVICE_ACCOUNTS =
      core("serviceaccounts", "ServiceAccount", true);
  public static final ResourceType LEASES =
      new ResourceType("coordination.k8s.io", "v1", "leases", "Lease", true);
  public static final ResourceType CLUSTER_ROLES =
      new ResourceType("rbac.authorization.k8s.io", "v1", "clusterroles", "ClusterRole", false);

  public static final ResourceType SERVICE_CIDRS =
      new ResourceType("networking.k8s.io", "v1", "servicecidrs", "ServiceCIDR", false);
  public static final ResourceType IP_ADDRESSES =
      new ResourceType("networking.k8s.io", "v1", "ipaddresses", "IPAddress", false);

  public static final ResourceType DEPLOYMENTS = apps("deployments", "Deployment");
  public static final ResourceType REPLICA_SETS = apps("replicasets", "ReplicaSet");
  public static final ResourceType STATEFUL_SETS = apps("statefulsets", "StatefulSet");
  public static final ResourceType DAEMON_SETS = apps("daemonsets", "DaemonSet");
  public static final ResourceType CONTROLLER_REVISIONS =
      apps("controllerrevisions", "ControllerRevision");
  public static final ResourceType JOBS = new ResourceType("batch", "v1", "jobs", "Job", true);
  public static final ResourceType CRON_JOBS =
      new ResourceType("batch", "v1", "cronjobs", "CronJob", true);
  public static final ResourceType POD_DISRUPTION_BUDGETS =
      new ResourceType("policy", "v1", "poddisruptionbudgets", "PodDisruptionBudget", true);
  public static final ResourceType REPLICATION_CONTROLLERS =
      core("replicationcontrollers", "ReplicationController", true);
  public static final ResourceType RESOURCE_QUOTAS = core("resourcequotas", "ResourceQuota", true);
  public static final ResourceType PERSISTENT_VOLUMES =
      core("persistentvolumes", "PersistentVolume", false);
  public static final ResourceType CERTIFICATE_SIGNING_REQUESTS =
      new ResourceType(
          "certificates.k8s.io",
          "v1",
          "certificatesigningrequests",
          "CertificateSigningRequest",
          false);
  public static final ResourceType PERSISTENT_VOLUME_CLAIMS =
      core("persistentvolumeclaims", "PersistentVolumeClaim", true);

  private static ResourceType apps(String plural, String kind) {
    return new ResourceType("apps", "v1", plural, kind, true);
  }

  private static ResourceType core(String plural, String kind, boolean namespaced) {
    return new ResourceType("", "v1", plural, kind, namespaced);
  }

  /// `v1`, `apps/v1`.
  public String apiVersion() {
    return group.isEmpty() ? version : group + "/" + version;
  }

  /// The path of all objects of a namespace, or of the whole cluster when the namespace is empty.
  public String path(String namespace) {
    String base = group.isEmpty() ? "/api/" + version : "/apis/" + group + "/" + version;
    return namespace.isEmpty() || !namespaced
        ? base + "/" + plural
        : base + "/namespaces/" + ApiRequest.escape(namespace) + "/" + plural;
  }

  /// The path of one object.
  public String path(ObjectKey key) {
    return path(key.namespace()) + "/" + ApiRequest.escape(key.name());
  }

  /// `services`, `deployments.apps`.
  @Override
  public String toString() {
    return group.isEmpty() ? plural : plural + "." + group;
  }
}
