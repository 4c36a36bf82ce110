package io.fairlead.server.auth.rbac;

import static io.fairlead.server.auth.rbac.RoleBuilder.READ;
import static io.fairlead.server.auth.rbac.RoleBuilder.account;
import static io.fairlead.server.auth.rbac.RoleBuilder.bindCluster;
import static io.fairlead.server.auth.rbac.RoleBuilder.clusterRole;
import static io.fairlead.server.auth.rbac.RoleBuilder.user;

import java.util.List;
import tools.jackson.databind.node.ObjectNode;

/// What the controllers need, one role for each. They are bound to the account of the same name,
/// for controllers that run with accounts of their own, and to the user of the controller manager,
/// for ours, which share its certificate.
final class ControllerRoles {
  private static final String MANAGER = "system:kube-controller-manager";
  private static final String PODS = "create,delete,get,list,patch,update,watch";

  private final List<ObjectNode> objects;

  private ControllerRoles(List<ObjectNode> objects) {
    this.objects = objects;
  }

  static void add(List<ObjectNode> objects) {
    ControllerRoles roles = new ControllerRoles(objects);
    roles.manager();
    roles.services();
    roles.workloads();
    roles.housekeeping();
    roles.volumes();
    roles.others();
  }

  private void manager() {
    objects.add(
        clusterRole(MANAGER)
            .allowEvents()
            .allow("create", "coordination.k8s.io", "leases")
            .allowNamed(
                "get,patch,update", "coordination.k8s.io", "leases", "kube-controller-manager")
            .allow("create", "", "secrets,serviceaccounts")
            .allow("delete", "", "secrets")
            .allow("get", "", "configmaps,namespaces,secrets,serviceaccounts")
            .allow("update", "", "secrets,serviceaccounts")
            .allow("create", "authentication.k8s.io", "tokenreviews")
            .allow("create", "authorization.k8s.io", "subjectaccessreviews")
            .allow("list,watch", "*", "*")
            .allow("create", "", "serviceaccounts/token")
            .build());
    objects.add(bindCluster(MANAGER, List.of(user(MANAGER))));
  }

  private void services() {
    controller("endpoint-controller")
        .allow(READ, "", "pods,services")
        .allow("create,delete,get,list,update", "", "endpoints")
        .allow("create", "", "endpoints/restricted")
        .allowEvents();
    controller("endpointslice-controller")
        .allow(READ, "", "nodes,pods,services")
        .allow("update", "", "services/finalizers")
        .allow("create,delete,get,list,update,watch", "discovery.k8s.io", "endpointslices")
        .allow("create", "discovery.k8s.io", "endpointslices/restricted")
        .allowEvents();
    controller("endpointslicemirroring-controller")
        .allow(READ, "", "endpoints,services")
        .allow("update", "", "endpoints/finalizers,services/finalizers")
        .allow("create,delete,get,list,update,watch", "discovery.k8s.io", "endpointslices")
        .allow("create", "discovery.k8s.io", "endpointslices/restricted")
        .allowEvents();
    controller("service-controller")
        .allow(READ, "", "services")
        .allow("patch,update", "", "services,services/status")
        .allow(RbacBootstrap.BALANCE, "", "services")
        .allow("list,watch", "", "nodes")
        .allowEvents();
    controller("service-condition-controller")
        .allow(READ, "", "nodes,pods,services")
        .allow("update", "", "services/status");
    controller("service-cidrs-controller")
        .allow("get,list,patch,update,watch", "networking.k8s.io", "servicecidrs")
        .allow("patch,update", "networking.k8s.io", "servicecidrs/finalizers,servicecidrs/status")
        .allow(READ, "networking.k8s.io", "ipaddresses")
        .allowEvents();
  }

  private void workloads() {
    controller("deployment-controller")
        .allow("get,list,update,watch", "apps", "deployments")
        .allow("update", "apps", "deployments/finalizers,deployments/status")
        .allow(PODS, "apps", "replicasets")
        .allow("get,list,update,watch", "", "pods")
        .allowEvents();
    controller("replicaset-controller")
        .allow("get,list,update,watch", "apps", "replicasets")
        .allow("update", "apps", "replicasets/finalizers,replicasets/status")
        .allow("create,delete,list,patch,watch", "", "pods")
        .allowEvents();
    controller("statefulset-controller")
        .allow(READ, "apps", "statefulsets")
        .allow("update", "apps", "statefulsets/finalizers,statefulsets/status")
        .allow(PODS, "", "pods")
        .allow(PODS, "apps", "controllerrevisions")
        .allow("create,delete,get,list,update,watch", "", "persistentvolumeclaims")
        .allowEvents();
    controller("daemon-set-controller")
        .allow(READ, "apps", "daemonsets")
        .allow("update", "apps", "daemonsets/finalizers,daemonsets/status")
        .allow("list,watch", "", "nodes")
        .allow("create,delete,list,patch,watch", "", "pods")
        .allow("create", "", "pods/binding")
        .allow(PODS, "apps", "controllerrevisions")
        .allowEvents();
    controller("job-controller")
        .allow("get,list,patch,update,watch", "batch", "jobs")
        .allow("update", "batch", "jobs/finalizers,jobs/status")
        .allow("create,delete,list,patch,watch", "", "pods")
        .allowEvents();
    controller("cronjob-controller")
        .allow("get,list,update,watch", "batch", "cronjobs")
        .allow(PODS, "batch", "jobs")
        .allow("update", "batch", "cronjobs/finalizers,cronjobs/status")
        .allow("delete,list", "", "pods")
        .allowEvents();
    controller("disruption-controller")
        .allow(READ, "apps", "deployments,replicasets,statefulsets")
        .allow(READ, "", "pods,replicationcontrollers")
        .allow(READ, "policy", "poddisruptionbudgets")
        .allow("update", "policy", "poddisruptionbudgets/status")
        .allow("patch,update", "", "pods/status")
        .allow("get", "*", "*/scale")
        .allowEvents();
  }

  private void housekeeping() {
    controller("namespace-controller")
        .allow("delete,get,list,watch", "", "namespaces")
        .allow("update", "", "namespaces/finalize,namespaces/status")
        .allow("delete,deletecollection,get,list", "*", "*");
    controller("generic-garbage-collector")
        .allow("delete,get,list,patch,update,watch", "*", "*")
        .allowEvents();
    controller("service-account-controller").allow("create", "", "serviceaccounts").allowEvents();
    controller("root-ca-cert-publisher").allow("create,update", "", "configmaps").allowEvents();
    controller("clusterrole-aggregation-controller")
        .allow("escalate,get,list,patch,update,watch", RbacSource.GROUP, "clusterroles");
    controller("node-controller")
        .allow("delete,get,list,patch,update", "", "nodes")
        .allow("patch,update", "", "nodes/status")
        .allow("patch,update", "", "pods/status")
        .allow("delete,get,list", "", "pods")
        .allow(READ, "coordination.k8s.io", "leases")
        .allowEvents();
    controller("pod-garbage-collector")
        .allow("delete,list,watch", "", "pods")
        .allow("patch", "", "pods/status")
        .allow("get,list", "", "nodes");
  }

  private void volumes() {
    controller("attachdetach-controller")
        .allow("list,watch", "", "persistentvolumeclaims,persistentvolumes")
        .allow(READ, "", "nodes")
        .allow("patch,update", "", "nodes/status")
        .allow("list,watch", "", "pods")
        .allow(READ, "storage.k8s.io", "csidrivers,csinodes")
        .allow("create,delete,get,list,watch", "storage.k8s.io", "volumeattachments")
        .allowEvents();
    controller("expand-controller")
        .allow("get,list,patch,update,watch", "", "persistentvolumes")
        .allow("patch,update", "", "persistentvolumeclaims/status")
        .allow(READ, "", "persistentvolumeclaims")
        .allow(READ, "storage.k8s.io", "storageclasses")
        .allow("get", "", "endpoints,secrets,services")
        .allowEvents();
    controller("ephemeral-volume-controller")
        .allow("update", "", "pods/finalizers")
        .allow(READ, "", "pods")
        .allow("create,get,list,watch", "", "persistentvolumeclaims")
        .allowEvents();
    controller("persistent-volume-binder")
        .allow("create,delete,get,list,update,watch", "", "persistentvolumes")
        .allow("update", "", "persistentvolumes/status")
        .allow("get,list,update,watch", "", "persistentvolumeclaims")
        .allow("update", "", "persistentvolumeclaims/status")
        .allow("create,delete,get,list,watch", "", "pods")
        .allow(READ, "storage.k8s.io", "storageclasses")
        .allow("create,delete,get", "", "endpoints,services")
        .allow("get,list", "", "secrets")
        .allow("get,list,watch", "", "nodes")
        .allowEvents();
    controller("pv-protection-controller")
        .allow("get,list,update,watch", "", "persistentvolumes")
        .allowEvents();
    controller("pvc-protection-controller")
        .allow("get,list,update,watch", "", "persistentvolumeclaims")
        .allow(READ, "", "pods")
        .allowEvents();
    controller("vac-protection-controller")
        .allow("get,list,update,watch", "storage.k8s.io", "volumeattributesclasses")
        .allow(READ, "", "persistentvolumeclaims,persistentvolumes")
        .allowEvents();
  }

  private void others() {
    controller("replication-controller")
        .allow("get,list,update,watch", "", "replicationcontrollers")
        .allow("update", "", "replicationcontrollers/finalizers,replicationcontrollers/status")
        .allow("create,delete,list,patch,watch", "", "pods")
        .allowEvents();
    controller("resourcequota-controller")
        .allow("list,watch", "*", "*")
        .allow("update", "", "resourcequotas/status")
        .allowEvents();
    controller("horizontal-pod-autoscaler")
        .allow(READ, "autoscaling", "horizontalpodautoscalers")
        .allow("update", "autoscaling", "horizontalpodautoscalers/status")
        .allow("get,update", "*", "*/scale")
        .allow("list", "", "pods")
        .allow("list", "metrics.k8s.io", "pods")
        .allow("get,list", "custom.metrics.k8s.io", "*")
        .allow("get,list", "external.metrics.k8s.io", "*")
        .allowEvents();
    controller("ttl-controller").allow("list,patch,update,watch", "", "nodes").allowEvents();
    controller("ttl-after-finished-controller")
        .allow("delete,get,list,watch", "batch", "jobs")
        .allowEvents();
    controller("taint-eviction-controller")
        .allow("get,list,watch", "", "nodes")
        .allow("delete,get,list,watch", "", "pods")
        .allow("patch,update", "", "pods/status")
        .allowEvents();
    controller("route-controller")
        .allow("list,watch", "", "nodes")
        .allow("patch", "", "nodes/status")
        .allowEvents();
    controller("certificate-controller")
        .allow("delete,get,list,watch", "certificates.k8s.io", "certificatesigningrequests")
        .allow(
            "update",
            "certificates.k8s.io",
            "certificatesigningrequests/approval,certificatesigningrequests/status")
        .allowNamed(
            "approve",
            "certificates.k8s.io",
            "signers",
            "kubernetes.io/kube-apiserver-client-kubelet")
        .allow("sign", "certificates.k8s.io", "signers")
        .allow("create", "authorization.k8s.io", "subjectaccessreviews")
        .allowEvents();
    controller("legacy-service-account-token-cleaner")
        .allow("get", "", "configmaps")
        .allow("delete,patch", "", "secrets");
    controller("validatingadmissionpolicy-status-controller")
        .allow(READ, "admissionregistration.k8s.io", "validatingadmissionpolicies")
        .allow(
            "get,patch,update",
            "admissionregistration.k8s.io",
            "validatingadmissionpolicies/status")
        .allowEvents();
    controller("resource-claim-controller")
        .allow(READ, "", "pods")
        .allow("update", "", "pods/finalizers")
        .allow("create,delete,get,list,watch", "resource.k8s.io", "resourceclaims")
        .allow(READ, "resource.k8s.io", "resourceclaimtemplates")
        .allow("patch,update", "resource.k8s.io", "resourceclaims/status")
        .allow("patch,update", "", "pods/status")
        .allowEvents();
  }

  /// Adds the role and its binding; the rules follow.
  private RoleBuilder controller(String name) {
    RoleBuilder builder = clusterRole("system:controller:" + name);
    objects.add(builder.build());
    objects.add(
        bindCluster(
            "system:controller:" + name, List.of(account("kube-system", name), user(MANAGER))));
    return builder;
  }
}
