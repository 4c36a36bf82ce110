package io.fairlead.server.resources;

import io.fairlead.server.resource.Resource;
import io.fairlead.server.resources.batch.AutoscalerV1Resource;
import io.fairlead.server.resources.batch.AutoscalerV2Resource;
import io.fairlead.server.resources.batch.CronJobResource;
import io.fairlead.server.resources.batch.JobResource;
import io.fairlead.server.resources.cluster.LeaseResource;
import io.fairlead.server.resources.cluster.NamespaceResource;
import io.fairlead.server.resources.cluster.NodeResource;
import io.fairlead.server.resources.config.ConfigMapResource;
import io.fairlead.server.resources.config.LimitRangeResource;
import io.fairlead.server.resources.config.ResourceQuotaResource;
import io.fairlead.server.resources.config.SecretResource;
import io.fairlead.server.resources.config.ServiceAccountResource;
import io.fairlead.server.resources.event.EventResource;
import io.fairlead.server.resources.event.EventsEventResource;
import io.fairlead.server.resources.network.EndpointSliceResource;
import io.fairlead.server.resources.network.EndpointsResource;
import io.fairlead.server.resources.network.IngressClassResource;
import io.fairlead.server.resources.network.IngressResource;
import io.fairlead.server.resources.network.IpAddressResource;
import io.fairlead.server.resources.network.NetworkPolicyResource;
import io.fairlead.server.resources.network.ServiceCidrResource;
import io.fairlead.server.resources.pod.BindingResource;
import io.fairlead.server.resources.pod.PodResource;
import io.fairlead.server.resources.policy.PodDisruptionBudgetResource;
import io.fairlead.server.resources.rbac.ClusterRoleBindingResource;
import io.fairlead.server.resources.rbac.ClusterRoleResource;
import io.fairlead.server.resources.rbac.RoleBindingResource;
import io.fairlead.server.resources.rbac.RoleResource;
import io.fairlead.server.resources.review.LocalSubjectAccessReviewResource;
import io.fairlead.server.resources.review.SelfSubjectAccessReviewResource;
import io.fairlead.server.resources.review.SelfSubjectReviewResource;
import io.fairlead.server.resources.review.SelfSubjectRulesReviewResource;
import io.fairlead.server.resources.review.SubjectAccessReviewResource;
import io.fairlead.server.resources.review.TokenReviewResource;
import io.fairlead.server.resources.service.ServiceNetwork;
import io.fairlead.server.resources.service.ServiceResource;
import io.fairlead.server.resources.storage.PersistentVolumeClaimResource;
import io.fairlead.server.resources.storage.PersistentVolumeResource;
import io.fairlead.server.resources.workload.ControllerRevisionResource;
import io.fairlead.server.resources.workload.DaemonSetResource;
import io.fairlead.server.resources.workload.DeploymentResource;
import io.fairlead.server.resources.workload.ReplicaSetResource;
import io.fairlead.server.resources.workload.StatefulSetResource;
import java.time.Duration;
import java.util.List;

/// All kinds that the server serves. Adding one means a class and a line here.
public final class Resources {
  private Resources() {}

  /// The resources, in the order of preference of discovery: a group stands where its first
  /// resource stands, and of two versions the first is preferred.
  public static List<Resource> all() {
    return all(ServiceNetwork.DEFAULT, EventResource.KEPT);
  }

  /// The same.
  ///
  /// @param network the ranges that Services take their addresses and node ports from
  /// @param eventTtl how long Events are kept; zero for ever
  public static List<Resource> all(ServiceNetwork network, Duration eventTtl) {
    return List.of(
        new BindingResource(),
        new ConfigMapResource(),
        new EndpointsResource(),
        new EventResource(eventTtl),
        new LimitRangeResource(),
        new NamespaceResource(),
        new NodeResource(),
        new PersistentVolumeClaimResource(),
        new PersistentVolumeResource(),
        new PodResource(),
        new ResourceQuotaResource(),
        new SecretResource(),
        new ServiceAccountResource(),
        new ServiceResource(network),
        new ControllerRevisionResource(),
        new DaemonSetResource(),
        new DeploymentResource(),
        new ReplicaSetResource(),
        new StatefulSetResource(),
        new EventsEventResource(eventTtl),
        new SelfSubjectReviewResource(),
        new TokenReviewResource(),
        new LocalSubjectAccessReviewResource(),
        new SelfSubjectAccessReviewResource(),
        new SelfSubjectRulesReviewResource(),
        new SubjectAccessReviewResource(),
        new AutoscalerV2Resource(),
        new AutoscalerV1Resource(),
        new CronJobResource(),
        new JobResource(),
        new IngressClassResource(),
        new IngressResource(),
        new IpAddressResource(),
        new NetworkPolicyResource(),
        new ServiceCidrResource(),
        new PodDisruptionBudgetResource(),
        new ClusterRoleBindingResource(),
        new ClusterRoleResource(),
        new RoleBindingResource(),
        new RoleResource(),
        new LeaseResource(),
        new EndpointSliceResource());
  }
}
