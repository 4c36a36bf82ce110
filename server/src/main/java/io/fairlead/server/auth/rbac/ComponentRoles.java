package io.fairlead.server.auth.rbac;

import static io.fairlead.server.auth.rbac.RoleBuilder.READ;
import static io.fairlead.server.auth.rbac.RoleBuilder.account;
import static io.fairlead.server.auth.rbac.RoleBuilder.bindCluster;
import static io.fairlead.server.auth.rbac.RoleBuilder.bindRole;
import static io.fairlead.server.auth.rbac.RoleBuilder.clusterRole;
import static io.fairlead.server.auth.rbac.RoleBuilder.role;
import static io.fairlead.server.auth.rbac.RoleBuilder.user;

import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.node.ObjectNode;

/// Roles of Kubernetes that charts and add-ons bind by name, though no part of Fairlead uses them.
final class ComponentRoles {
  private static final String CERTIFICATES = "certificates.k8s.io";
  private static final String REQUESTS = "certificatesigningrequests";

  private ComponentRoles() {}

  static List<ObjectNode> all() {
    List<ObjectNode> objects = new ArrayList<>();
    objects.add(
        clusterRole("system:heapster")
            .allow(READ, "", "events,namespaces,nodes,pods")
            .allow(READ, "extensions", "deployments")
            .build());
    objects.add(
        clusterRole("system:node-problem-detector")
            .allow("get", "", "nodes")
            .allow("patch", "", "nodes/status")
            .allowEvents()
            .build());
    objects.add(
        clusterRole("system:node-bootstrapper")
            .allow("create,get,list,watch", CERTIFICATES, REQUESTS)
            .build());
    objects.add(
        clusterRole("system:kube-aggregator").allow(READ, "", "endpoints,services").build());
    objects.add(
        clusterRole("system:persistent-volume-provisioner")
            .allow("create,delete,get,list,watch", "", "persistentvolumes")
            .allow("get,list,update,watch", "", "persistentvolumeclaims")
            .allow(READ, "storage.k8s.io", "storageclasses")
            .allow("watch", "", "events")
            .allowEvents()
            .build());
    objects.add(
        clusterRole("system:certificates.k8s.io:certificatesigningrequests:nodeclient")
            .allow("create", CERTIFICATES, REQUESTS + "/nodeclient")
            .build());
    objects.add(
        clusterRole("system:certificates.k8s.io:certificatesigningrequests:selfnodeclient")
            .allow("create", CERTIFICATES, REQUESTS + "/selfnodeclient")
            .build());
    for (String signer :
        List.of(
            "kube-apiserver-client",
            "kube-apiserver-client-kubelet",
            "kubelet-serving",
            "legacy-unknown")) {
      objects.add(
          clusterRole("system:certificates.k8s.io:" + signer + "-approver")
              .allowNamed("approve", CERTIFICATES, "signers", "kubernetes.io/" + signer)
              .build());
    }
    objects.add(
        clusterRole("system:volume-scheduler")
            .allow("get,list,patch,update,watch", "", "persistentvolumes")
            .allow(READ, "storage.k8s.io", "storageclasses")
            .allow("get,list,patch,update,watch", "", "persistentvolumeclaims")
            .build());
    objects.add(bindCluster("system:volume-scheduler", List.of(user("system:kube-scheduler"))));
    String reader = "extension-apiserver-authentication-reader";
    objects.add(
        role("kube-system", reader)
            .allowNamed("get,list,watch", "", "configmaps", "extension-apiserver-authentication")
            .build());
    objects.add(
        bindRole(
            "kube-system",
            "system::" + reader,
            reader,
            List.of(user("system:kube-controller-manager"), user("system:kube-scheduler"))));
    for (String watcher : List.of("bootstrap-signer", "cloud-provider", "token-cleaner")) {
      String name = "system:controller:" + watcher;
      objects.add(
          role("kube-system", name)
              .allow("create,get,list,watch", "", "configmaps")
              .allow(READ, "", "secrets")
              .build());
      objects.add(bindRole("kube-system", name, List.of(account("kube-system", watcher))));
    }
    objects.add(
        role("kube-public", "system:controller:bootstrap-signer")
            .allow(READ, "", "configmaps")
            .allowNamed("update", "", "configmaps", "cluster-info")
            .allowEvents()
            .build());
    objects.add(
        bindRole(
            "kube-public",
            "system:controller:bootstrap-signer",
            List.of(account("kube-system", "bootstrap-signer"))));
    return objects;
  }
}
