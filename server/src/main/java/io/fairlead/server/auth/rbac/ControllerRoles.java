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
