package io.fairlead.server.resources;

import io.fairlead.server.resource.Resource;
import io.fairlead.server.resources.admission.AdmissionPolicyBindingResource;
import io.fairlead.server.resources.admission.AdmissionPolicyResource;
import io.fairlead.server.resources.admission.ApiServiceResource;
import io.fairlead.server.resources.admission.WebhookConfigurationResource;
import io.fairlead.server.resources.batch.AutoscalerV1Resource;
import io.fairlead.server.resources.batch.AutoscalerV2Resource;
import io.fairlead.server.resources.batch.CronJobResource;
import io.fairlead.server.resources.batch.JobResource;
import io.fairlead.server.resources.cluster.CertificateSigningRequestResource;
import io.fairlead.server.resources.cluster.EventResource;
import io.fairlead.server.resources.cluster.EventsEventResource;
import io.fairlead.server.resources.cluster.FlowSchemaResource;
import io.fairlead.server.resources.cluster.LeaseResource;
import io.fairlead.server.resources.cluster.NamespaceResource;
import io.fairlead.server.resources.cluster.NodeResource;
import io.fairlead.server.resources.cluster.PriorityClassResource;
import io.fairlead.server.resources.cluster.PriorityLevelConfigurationResource;
import io.fairlead.server.resources.cluster.RuntimeClassResource;
import io.fairlead.server.resources.config.ConfigMapResource;
import io.fairlead.server.resources.config.LimitRangeResource;
import io.fairlead.server.resources.config.PersistentVolumeClaimResource;
import io.fairlead.server.resources.config.PersistentVolumeResource;
import io.fairlead.server.resources.config.ResourceQuotaResource;
import io.fairlead.server.resources.config.SecretResource;
import io.fairlead.server.resources.config.ServiceAccountResource;
import io.fairlead.server.resources.custom.DefinitionResource;
import io.fairlead.server.resources.devices.DeviceClassResource;
import io.fairlead.server.resources.devices.ResourceClaimResource;
import io.fairlead.server.resources.devices.ResourceClaimTemplateResource;
import io.fairlead.server.resources.devices.ResourceSliceResource;
import io.fairlead.server.resources.network.EndpointSliceResource;
import io.fairlead.server.resources.network.EndpointsResource;
import io.fairlead.server.resources.network.IngressClassResource;
import io.fairlead.server.resources.network.IngressResource;
import io.fairlead.server.resources.network.IpAddressResource;
import io.fairlead.server.resources.network.NetworkPolicyResource;
import io.fairlead.server.resources.network.ServiceCidrResource;
import io.fairlead.server.resources.pod.BindingResource;
import io.fairlead.server.resources.pod.PodResource;
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
import io.fairlead.server.resources.storage.CsiDriverResource;
import io.fairlead.server.resources.storage.CsiNodeResource;
import io.fairlead.server.resources.storage.CsiStorageCapacityResource;
import io.fairlead.server.resources.storage.StorageClassResource;
import io.fairlead.server.resources.storage.VolumeAttachmentResource;
import io.fairlead.server.resources.storage.VolumeAttributesClassResource;
import io.fairlead.server.resources.workload.ControllerRevisionResource;
import io.fairlead.server.resources.workload.DaemonSetResource;
import io.fairlead.server.resources.workload.DeploymentResource;
import io.fairlead.server.resources.workload.PodDisruptionBudgetResource;
import io.fairlead.server.resources.workload.PodTemplateResource;
import io.fairlead.server.resources.workload.ReplicaSetResource;
import io.fairlead.server.resources.workload.ReplicationControllerResource;
import io.fairlead.server.resources.workload.StatefulSetResource;
import java.time.Duration;
import java.util.List;

/// All kinds that the server serves. Adding one means a class and a line here.
public final class BuiltInResources {
  private BuiltInResources() {}

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
        new NodeResource(network.clusterAddresses()),
        new PersistentVolumeClaimResource(),
        new PersistentVolumeResource(),
        new PodResource(),
        new PodTemplateResource(),
        new ReplicationControllerResource(),
        new ResourceQuotaResource(),
        new SecretResource(),
        new ServiceAccountResource(),
        new ServiceResource(network),
        new ApiServiceResource(),
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
        new CertificateSigningRequestResource(),
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
        new CsiDriverResource(),
        new CsiNodeResource(),
        new CsiStorageCapacityResource(),
        new StorageClassResource(),
        new VolumeAttachmentResource(),
        new VolumeAttributesClassResource(),
        WebhookConfigurationResource.mutating(),
        AdmissionPolicyResource.mutating(),
        AdmissionPolicyBindingResource.mutating(),
        AdmissionPolicyResource.validating(),
        AdmissionPolicyBindingResource.validating(),
        WebhookConfigurationResource.validating(),
        new DefinitionResource(),
        new PriorityClassResource(),
        new LeaseResource(),
        new RuntimeClassResource(),
        new EndpointSliceResource(),
        new FlowSchemaResource(),
        new PriorityLevelConfigurationResource(),
        new DeviceClassResource(),
        new ResourceClaimResource(),
        new ResourceClaimTemplateResource(),
        new ResourceSliceResource());
  }
}
