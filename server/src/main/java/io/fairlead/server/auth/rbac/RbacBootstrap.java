package io.fairlead.server.auth.rbac;

import static io.fairlead.server.auth.rbac.RoleBuilder.READ;
import static io.fairlead.server.auth.rbac.RoleBuilder.WRITE;
import static io.fairlead.server.auth.rbac.RoleBuilder.account;
import static io.fairlead.server.auth.rbac.RoleBuilder.bindCluster;
import static io.fairlead.server.auth.rbac.RoleBuilder.bindRole;
import static io.fairlead.server.auth.rbac.RoleBuilder.clusterRole;
import static io.fairlead.server.auth.rbac.RoleBuilder.group;
import static io.fairlead.server.auth.rbac.RoleBuilder.role;
import static io.fairlead.server.auth.rbac.RoleBuilder.user;

import io.fairlead.api.json.Json;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// The roles and bindings that every cluster has from its first start.
public final class RbacBootstrap {
  private static final String RBAC = RbacSource.GROUP;
  private static final String HEALTH = "/healthz,/livez,/readyz,/version,/version/";

  /// The verb on services of those who may name load balancer addresses in their status.
  public static final String BALANCE = "balance";

  /// The role to bind load balancer controllers of others to.
  public static final String LOAD_BALANCERS = "fairlead:load-balancers";

  private RbacBootstrap() {}

  /// Fresh objects, ClusterRoles before the bindings that need them. Create those that are missing
  /// at every start.
  public static List<ObjectNode> objects() {
    List<ObjectNode> objects = new ArrayList<>();
    everybody(objects);
    people(objects);
    components(objects);
    ControllerRoles.add(objects);
    List<ObjectNode> clusterRoles =
        objects.stream()
            .filter(one -> one.path("kind").asString("").equals("ClusterRole"))
            .toList();
    // view before edit before admin: each takes in the one before.
    for (String name : List.of("view", "edit", "admin")) {
      for (ObjectNode role : clusterRoles) {
        if (Json.textOr(role, "", "metadata", "name").equals(name)) {
          role.set("rules", ClusterRoleAggregation.rules(role, clusterRoles));
        }
      }
    }
    return objects;
  }

  /// The rules of `system:node`.
  static JsonNode nodeRules() {
    return node().path("rules");
  }

  private static void everybody(List<ObjectNode> objects) {
    List<ObjectNode> authenticated = List.of(group("system:authenticated"));
    objects.add(clusterRole("cluster-admin").allow("*", "*", "*").allowPaths("*", "*").build());
    objects.add(
        clusterRole("system:discovery")
            .allowPaths("get", "/api,/api/*,/apis,/apis/*,/openapi,/openapi/*," + HEALTH)
            .build());
    objects.add(
        clusterRole("system:basic-user")
            .allow(
                "create",
                "authorization.k8s.io",
                "selfsubjectaccessreviews,selfsubjectrulesreviews")
            .allow("create", "authentication.k8s.io", "selfsubjectreviews")
            .build());
    objects.add(clusterRole("system:public-info-viewer").allowPaths("get", HEALTH).build());
    objects.add(
        clusterRole("system:monitoring")
            .allowPaths(
                "get",
                "/healthz,/healthz/*,/livez,/livez/*,/metrics,/metrics/slis,/readyz,/readyz/*")
            .build());
    objects.add(
        clusterRole("system:service-account-issuer-discovery")
            .allowPaths(
                "get",
                "/.well-known/openid-configuration,/.well-known/openid-configuration/,"
                    + "/openid/v1/jwks,/openid/v1/jwks/")
            .build());
    objects.add(bindCluster("cluster-admin", List.of(group(RbacAuthorizer.MASTERS))));
    objects.add(bindCluster("system:discovery", authenticated));
    objects.add(bindCluster("system:basic-user", authenticated));
    objects.add(
        bindCluster(
            "system:public-info-viewer",
            List.of(group("system:authenticated"), group("system:unauthenticated"))));
    objects.add(bindCluster("system:monitoring", List.of(group("system:monitoring"))));
    objects.add(
        bindCluster(
            "system:service-account-issuer-discovery", List.of(group("system:serviceaccounts"))));
  }

  /// `admin`, `edit` and `view`, for people: bound in a namespace by an administrator of the
  /// cluster.
  private static void people(List<ObjectNode> objects) {
    objects.add(clusterRole("admin").aggregated("admin").build());
    objects.add(clusterRole("edit").aggregated("edit").aggregateTo("admin").build());
    objects.add(clusterRole("view").aggregated("view").aggregateTo("edit").build());
    // To see inside nodes, and to send packets from them.
    objects.add(clusterRole("fairlead-insight-view").allow("get", "", "nodes/insight").build());
    objects.add(
        clusterRole("fairlead-insight-probe").allow("get,create", "", "nodes/insight").build());
    objects.add(
        clusterRole("system:aggregate-to-admin")
            .aggregateTo("admin")
            .allow("create", "authorization.k8s.io", "localsubjectaccessreviews")
            .allow(READ + "," + WRITE, RBAC, "rolebindings,roles")
            .build());
    objects.add(
        clusterRole("system:aggregate-to-edit")
            .aggregateTo("edit")
            .allow(
                READ,
                "",
                "pods/attach,pods/exec,pods/portforward,pods/proxy,secrets,services/proxy")
            .allow("impersonate", "", "serviceaccounts")
            .allow(WRITE, "", "pods,pods/attach,pods/exec,pods/portforward,pods/proxy")
            .allow("create", "", "pods/eviction")
            .allow(
                WRITE,
                "",
                "configmaps,events,persistentvolumeclaims,replicationcontrollers,"
                    + "replicationcontrollers/scale,secrets,serviceaccounts,services,"
                    + "services/proxy")
            .allow("create", "", "serviceaccounts/token")
            .allow(
                WRITE,
                "apps",
                "daemonsets,deployments,deployments/rollback,deployments/scale,replicasets,"
                    + "replicasets/scale,statefulsets,statefulsets/scale")
            .allow(WRITE, "autoscaling", "horizontalpodautoscalers")
            .allow(WRITE, "batch", "cronjobs,jobs")
            .allow(WRITE, "policy", "poddisruptionbudgets")
            .allow(WRITE, "networking.k8s.io", "ingresses,networkpolicies")
            .allow(READ + "," + WRITE, "coordination.k8s.io", "leases")
            .build());
    objects.add(
        clusterRole("system:aggregate-to-view")
            .aggregateTo("view")
            .allow(
                READ,
                "",
                "configmaps,endpoints,persistentvolumeclaims,persistentvolumeclaims/status,pods,"
                    + "replicationcontrollers,replicationcontrollers/scale,serviceaccounts,"
                    + "services,services/status")
            .allow(
                READ,
                "",
                "bindings,events,limitranges,namespaces/status,pods/log,pods/status,"
                    + "replicationcontrollers/status,resourcequotas,resourcequotas/status")
            .allow(READ, "", "namespaces")
            .allow(READ, "discovery.k8s.io", "endpointslices")
            .allow(
                READ,
                "apps",
                "controllerrevisions,daemonsets,daemonsets/status,deployments,deployments/scale,"
                    + "deployments/status,replicasets,replicasets/scale,replicasets/status,"
                    + "statefulsets,statefulsets/scale,statefulsets/status")
            .allow(READ, "autoscaling", "horizontalpodautoscalers,horizontalpodautoscalers/status")
            .allow(READ, "batch", "cronjobs,cronjobs/status,jobs,jobs/status")
            .allow(READ, "policy", "poddisruptionbudgets,poddisruptionbudgets/status")
            .allow(READ, "networking.k8s.io", "ingresses,ingresses/status,networkpolicies")
            .build());
  }

  private static void components(List<ObjectNode> objects) {
    objects.add(
        clusterRole("system:auth-delegator")
            .allow("create", "authentication.k8s.io", "tokenreviews")
            .allow("create", "authorization.k8s.io", "subjectaccessreviews")
            .build());
    objects.add(
        clusterRole("system:kubelet-api-admin")
            .allow(READ, "", "nodes")
            .allow("proxy", "", "nodes")
            .allow("*", "", "nodes/log,nodes/metrics,nodes/proxy,nodes/stats")
            .build());
    objects.add(node());
    // No subjects: NodeAuthorizer speaks for nodes, one by one, and knows which pods are theirs.
    objects.add(bindCluster("system:node", List.of()));
    objects.add(
        clusterRole("system:node-proxier")
            .allow("list,watch", "", "endpoints,services")
            .allow(READ, "", "nodes,services")
            .allow("list,watch", "discovery.k8s.io", "endpointslices")
            .allow(READ, "discovery.k8s.io", "endpointslices")
            .allow("list,watch", "networking.k8s.io", "servicecidrs")
            .allowEvents()
            .build());
    objects.add(bindCluster("system:node-proxier", List.of(user("system:kube-proxy"))));
    // The configuration that the cluster keeps for its proxies.
    String configuration = "fairlead:proxy-configuration";
    objects.add(
        role("kube-system", configuration)
            .allowNamed("get", "", "configmaps", "kube-proxy")
            .build());
    objects.add(bindRole("kube-system", configuration, List.of(user("system:kube-proxy"))));
    drains(objects);
    announcers(objects);
    policies(objects);
    objects.add(
        clusterRole("system:kube-dns")
            .allow("list,watch", "", "endpoints,services")
            .allow("list,watch", "discovery.k8s.io", "endpointslices")
            .build());
    objects.add(bindCluster("system:kube-dns", List.of(account("kube-system", "kube-dns"))));
    objects.add(
        clusterRole("system:coredns")
            .allow("list,watch", "", "endpoints,namespaces,pods,services")
            .allow("get", "", "nodes")
            .allow("list,watch", "discovery.k8s.io", "endpointslices")
            .build());
    objects.add(
        bindCluster(
            "system:coredns", List.of(account("kube-system", "coredns"), user("system:coredns"))));
    objects.add(scheduler());
    objects.add(bindCluster("system:kube-scheduler", List.of(user("system:kube-scheduler"))));
    objects.add(clusterRole(LOAD_BALANCERS).allow(BALANCE, "", "services").build());
    leaderLock(objects, "kube-controller-manager");
    leaderLock(objects, "kube-scheduler");
    objects.addAll(ComponentRoles.all());
  }

  /// Proxies say in Leases how far their rules are; agents read that, and the slices it is about,
  /// before they end a pod that asks for it. In a namespace where no other Lease is.
  private static void drains(List<ObjectNode> objects) {
    String reports = "fairlead:proxy-reports";
    objects.add(
        role("kube-public", reports)
            .allow("create,get,patch,update", "coordination.k8s.io", "leases")
            .build());
    objects.add(bindRole("kube-public", reports, List.of(user("system:kube-proxy"))));
    String readers = "fairlead:proxy-report-readers";
    objects.add(role("kube-public", readers).allow(READ, "coordination.k8s.io", "leases").build());
    objects.add(bindRole("kube-public", readers, List.of(group("system:nodes"))));
    String endpoints = "fairlead:node-endpoints";
    objects.add(clusterRole(endpoints).allow(READ, "discovery.k8s.io", "endpointslices").build());
    objects.add(bindCluster(endpoints, List.of(group("system:nodes"))));
  }

  /// Announcers of load balancer addresses say in Leases what they announce and see each other
  /// there; the controller that allocates tells them the pools. A node as such writes its own Lease
  /// only.
  private static void announcers(List<ObjectNode> objects) {
    String announcers = "fairlead:announcers";
    objects.add(
        role("kube-public", announcers)
            .allow("create,delete," + READ + ",patch,update", "coordination.k8s.io", "leases")
            .allow(READ, "", "configmaps")
            .build());
    objects.add(bindRole("kube-public", announcers, List.of(user("system:kube-proxy"))));
    // Routers' passwords: one Secret by name, and no other.
    String passwords = "fairlead:bgp-passwords";
    objects.add(
        role("kube-system", passwords).allowNamed("get", "", "secrets", "fairlead-bgp").build());
    objects.add(bindRole("kube-system", passwords, List.of(user("system:kube-proxy"))));
    String readers = "fairlead:load-balancer-pool-readers";
    objects.add(role("kube-public", readers).allow(READ, "", "configmaps").build());
    objects.add(bindRole("kube-public", readers, List.of(group("system:nodes"))));
    String pools = "fairlead:load-balancer-pools";
    objects.add(
        role("kube-public", pools)
            .allow("create,get,patch,update", "", "configmaps")
            .allow(READ, "coordination.k8s.io", "leases")
            .build());
    objects.add(bindRole("kube-public", pools, List.of(user("system:kube-controller-manager"))));
  }

  /// The component that enforces NetworkPolicies reads what they are about and reports, in Leases,
  /// how far the kernel is. It reviews the token and the rights of a user who asks for its debug
  /// pages.
  private static void policies(List<ObjectNode> objects) {
    String name = "system:fairlead-policy";
    objects.add(
        clusterRole(name)
            .allow(READ, "", "namespaces,nodes,pods")
            .allow(READ, "networking.k8s.io", "networkpolicies")
            .allow("patch", "", "nodes/status")
            .allow("create", "authentication.k8s.io", "tokenreviews")
            .allow("create", "authorization.k8s.io", "subjectaccessreviews")
            .allowEvents()
            .build());
    objects.add(bindCluster(name, List.of(user(name))));
    String reports = "fairlead:policy-reports";
    objects.add(
        role("kube-public", reports)
            .allow("create,delete,get,list,patch,update", "coordination.k8s.io", "leases")
            .build());
    objects.add(bindRole("kube-public", reports, List.of(user(name))));
  }

  private static ObjectNode node() {
    return clusterRole("system:node")
        .allow("create", "authentication.k8s.io", "tokenreviews")
        .allow("create", "authorization.k8s.io", "localsubjectaccessreviews,subjectaccessreviews")
        .allow(READ, "", "services")
        .allow("create," + READ + ",patch,update", "", "nodes")
        .allow("patch,update", "", "nodes/status")
        .allowEvents()
        .allow("create,delete," + READ, "", "pods")
        .allow("patch,update", "", "pods/status")
        .allow("create", "", "pods/eviction")
        .allow(READ, "", "configmaps,secrets")
        .allow("get", "", "endpoints,persistentvolumeclaims,persistentvolumes")
        .allow("create", "", "serviceaccounts/token")
        .allow("create,delete,get,patch,update", "coordination.k8s.io", "leases")
        .build();
  }

  private static ObjectNode scheduler() {
    return clusterRole("system:kube-scheduler")
        .allowEvents()
        .allow("create,list,watch", "coordination.k8s.io", "leases")
        .allowNamed("get,update", "coordination.k8s.io", "leases", "kube-scheduler")
        .allow(READ, "", "namespaces,nodes,persistentvolumeclaims,persistentvolumes")
        .allow("delete," + READ, "", "pods")
        .allow("create", "", "bindings,pods/binding")
        .allow("patch,update", "", "pods/status")
        .allow(READ, "", "replicationcontrollers,services")
        .allow(READ, "apps", "replicasets,statefulsets")
        .allow(READ, "policy", "poddisruptionbudgets")
        .allow(READ, "storage.k8s.io", "csidrivers,csinodes,csistoragecapacities,storageclasses")
        .allow(READ, "storage.k8s.io", "volumeattachments")
        .allow(READ, "resource.k8s.io", "deviceclasses,resourceclaims,resourceslices")
        .allow("patch,update", "resource.k8s.io", "resourceclaims/status")
        .allow("create", "authentication.k8s.io", "tokenreviews")
        .allow("create", "authorization.k8s.io", "subjectaccessreviews")
        .build();
  }

  private static void leaderLock(List<ObjectNode> objects, String component) {
    String name = "system::leader-locking-" + component;
    objects.add(
        role("kube-system", name)
            .allow("watch", "", "configmaps")
            .allowNamed("get,update", "", "configmaps", component)
            .allow("create", "coordination.k8s.io", "leases")
            .allowNamed("get,update,patch", "coordination.k8s.io", "leases", component)
            .build());
    objects.add(
        bindRole(
            "kube-system",
            name,
            List.of(user("system:" + component), account("kube-system", component))));
  }
}
