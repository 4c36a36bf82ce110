package io.fairlead.schema;

import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FileDescriptor;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// The kinds from which extraction starts; everything they reach comes along.
final class RootKinds {
  /// Kinds by the generated class that holds the descriptor of their protobuf file.
  private static final List<Group> GROUPS =
      List.of(
          new Group(
              "Meta",
              "V1",
              "DeleteOptions Status ObjectMeta ListMeta LabelSelector WatchEvent Condition"
                  + " APIGroup APIGroupList APIResourceList APIVersions"),
          new Group(
              "V1",
              "V1",
              "Namespace Node Pod Binding Service Endpoints ConfigMap Secret ServiceAccount Event"
                  + " ReplicationController LimitRange ResourceQuota PersistentVolumeClaim"
                  + " PersistentVolume PodTemplate ComponentStatus"),
          new Group(
              "V1Apps", "V1", "Deployment ReplicaSet StatefulSet DaemonSet ControllerRevision"),
          new Group("V1Discovery", "V1", "EndpointSlice"),
          new Group(
              "V1Networking", "V1", "NetworkPolicy ServiceCIDR IPAddress Ingress IngressClass"),
          new Group("V1Coordination", "V1", "Lease"),
          new Group("V1Authentication", "V1", "TokenReview SelfSubjectReview TokenRequest"),
          new Group(
              "V1Authorization",
              "V1",
              "SelfSubjectAccessReview SelfSubjectRulesReview SubjectAccessReview"
                  + " LocalSubjectAccessReview"),
          new Group("V1Rbac", "V1", "Role RoleBinding ClusterRole ClusterRoleBinding"),
          new Group("V1Policy", "V1", "PodDisruptionBudget Eviction"),
          new Group("V1Batch", "V1", "Job CronJob"),
          new Group("V1Autoscaling", "V1", "Scale HorizontalPodAutoscaler"),
          new Group("V2Autoscaling", "V2", "HorizontalPodAutoscaler"),
          new Group("V1Events", "V1", "Event"),
          new Group(
              "V1Storage",
              "V1",
              "StorageClass CSIDriver CSINode CSIStorageCapacity VolumeAttachment"
                  + " VolumeAttributesClass"),
          new Group("V1Node", "V1", "RuntimeClass"),
          new Group("V1Certificates", "V1", "CertificateSigningRequest"),
          new Group("V1Flowcontrol", "V1", "FlowSchema PriorityLevelConfiguration"),
          new Group(
              "V1Resource", "V1", "DeviceClass ResourceClaim ResourceClaimTemplate ResourceSlice"),
          new Group("V1Scheduling", "V1", "PriorityClass"),
          new Group(
              "V1Admissionregistration",
              "V1",
              "ValidatingWebhookConfiguration MutatingWebhookConfiguration"
                  + " ValidatingAdmissionPolicy ValidatingAdmissionPolicyBinding"
                  + " MutatingAdmissionPolicy MutatingAdmissionPolicyBinding"),
          new Group("V1Apiextensions", "V1", "CustomResourceDefinition"));

  /// Model classes that are not called version + kind, because two groups have that kind.
  private static final Map<String, String> MODELS =
      Map.of(
          "k8s.io.api.core.v1.Event", "CoreV1Event",
          "k8s.io.api.core.v1.EventList", "CoreV1EventList",
          "k8s.io.api.events.v1.Event", "EventsV1Event",
          "k8s.io.api.events.v1.EventList", "EventsV1EventList",
          "k8s.io.api.authentication.v1.TokenRequest", "AuthenticationV1TokenRequest",
          "k8s.io.api.resource.v1.ResourceClaim", "ResourceV1ResourceClaim");

  private RootKinds() {}

  /// One protobuf file and its kinds.
  private record Group(String holder, String prefix, String kinds) {}

  /// A protobuf message and the model class for the same kind.
  record Root(Descriptor message, Class<?> model) {}

  static List<Root> all() {
    List<Root> roots = new ArrayList<>();
    for (Group group : GROUPS) {
      FileDescriptor file = file(group.holder());
      for (String kind : group.kinds().split(" ", -1)) {
        roots.add(root(required(file, kind), group.prefix()));
        Descriptor list = file.findMessageTypeByName(kind + "List");
        if (list != null && !group.kinds().contains(kind + "List")) {
          roots.add(root(list, group.prefix()));
        }
      }
    }
    return roots;
  }

  private static Root root(Descriptor message, String prefix) {
    String name = MODELS.getOrDefault(message.getFullName(), prefix + message.getName());
    return new Root(message, load("io.kubernetes.client.openapi.models." + name));
  }

  private static Descriptor required(FileDescriptor file, String kind) {
    Descriptor found = file.findMessageTypeByName(kind);
    if (found == null) {
      throw new IllegalStateException(file.getPackage() + " has no message " + kind);
    }
    return found;
  }

  private static FileDescriptor file(String holder) {
    try {
      Class<?> type = load("io.kubernetes.client.proto." + holder);
      return (FileDescriptor) type.getMethod("getDescriptor").invoke(null);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("no descriptor in " + holder, e);
    }
  }

  private static Class<?> load(String name) {
    try {
      return Class.forName(name);
    } catch (ClassNotFoundException e) {
      throw new IllegalStateException("the library has no class " + name, e);
    }
  }
}
