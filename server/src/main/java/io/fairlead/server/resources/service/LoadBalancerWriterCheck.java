package io.fairlead.server.resources.service;

import io.fairlead.server.auth.Authorizer.Attributes;
import io.fairlead.server.auth.rbac.RbacBootstrap;
import io.fairlead.server.resource.RequestContext;
import io.fairlead.server.resources.kind.Problems;
import java.util.HashSet;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Lets only load balancer controllers name addresses in the status of a Service.
///
/// Every node sends what goes to such an address to the pods of the Service. A user who may write
/// statuses in his namespace could so draw the traffic of the whole cluster for any address in the
/// world (CVE-2020-8554). A controller that may has the verb `balance` on the services of the whole
/// cluster: whose own namespace is all a user has, with every verb in it, may not. What a status
/// has already may stay, and a user who may write it may take addresses away.
final class LoadBalancerWriterCheck {
  private static final String INGRESS = "/status/loadBalancer/ingress";

  private LoadBalancerWriterCheck() {}

  static void check(ObjectNode service, ObjectNode old, RequestContext context, Problems problems) {
    Set<String> before = new HashSet<>();
    old.at(INGRESS).forEach(one -> before.add(one.path("ip").asString("")));
    int index = 0;
    for (JsonNode one : service.at(INGRESS)) {
      String address = one.path("ip").asString("");
      if (!address.isEmpty() && !before.contains(address)) {
        if (!mayBalance(context)) {
          problems.forbidden(
              "status.loadBalancer.ingress[" + index + "].ip",
              "only a load balancer controller may name "
                  + address
                  + ": user \""
                  + context.user().name()
                  + "\" lacks the verb \"balance\" on services of all namespaces; an administrator"
                  + " grants it with the ClusterRole "
                  + RbacBootstrap.LOAD_BALANCERS);
        }
        return;
      }
      index++;
    }
  }

  private static boolean mayBalance(RequestContext context) {
    return context
        .authorizer()
        .authorize(
            new Attributes(
                context.user(), RbacBootstrap.BALANCE, "", "v1", "services", "", "", "", ""))
        .allowed();
  }
}
