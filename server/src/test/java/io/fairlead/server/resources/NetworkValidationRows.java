package io.fairlead.server.resources;

import static io.fairlead.server.resources.ValidationTest.create;

import io.fairlead.server.resources.ValidationTest.Case;
import java.util.stream.Stream;

/// Rows of [ValidationTest]: Services, what belongs to the network, and the rest.
final class NetworkValidationRows {

  private NetworkValidationRows() {}

  static Stream<Case> all() {
    return Stream.of(network(), services(), others()).flatMap(rows -> rows);
  }

  private static Case service(String name, String spec, String problems) {
    return create(name, "v1", "services", "{spec:{" + spec + "}}", problems);
  }

  private static Stream<Case> network() {
    String slice = "{addressType:'IPv4',endpoints:[{addresses:['";
    return Stream.of(
        create(
            "no address",
            "v1",
            "endpoints",
            "{subsets:[{}]}",
            "subsets[0]: Required value: must specify `addresses` or `notReadyAddresses`"),
        create(
            "loopback",
            "v1",
            "endpoints",
            "{subsets:[{addresses:[{ip:'127.0.0.1'}]}]}",
            "subsets[0].addresses[0].ip: Invalid value: \"127.0.0.1\": may not be in the loopback"
                + " range (127.0.0.0/8, ::1/128)"),
        create(
            "two unnamed ports",
            "v1",
            "endpoints",
            "{subsets:[{addresses:[{ip:'10.0.0.1'}],ports:[{port:1},{port:2,name:'b'}]}]}",
            "subsets[0].ports[0].name: Required value"),
        create(
            "other family",
            "discovery.k8s.io/v1",
            "endpointslices",
            slice + "fd00::1']}]}",
            "endpoints[0].addresses[0]: Invalid value: \"fd00::1\": must be an IPv4 address"),
        create(
            "two unnamed",
            "discovery.k8s.io/v1",
            "endpointslices",
            "{addressType:'IPv4',ports:[{port:1},{port:2}]}",
            "ports[1].name: Duplicate value: \"\""),
        create(
            "not canonical",
            "discovery.k8s.io/v1",
            "endpointslices",
            "{addressType:'IPv6',endpoints:[{addresses:['fd00:0::1']}]}",
            "endpoints[0].addresses[0]: Invalid value: \"fd00:0::1\": must be in canonical form"
                + " (\"fd00::1\")"),
        create(
            "no peer",
            "networking.k8s.io/v1",
            "networkpolicies",
            "{spec:{ingress:[{from:[{}]}]}}",
            "spec.ingress[0].from[0]: Required value: must specify a peer"),
        create(
            "hole outside",
            "networking.k8s.io/v1",
            "networkpolicies",
            "{spec:{egress:[{to:[{ipBlock:{cidr:'10.0.0.0/8',except:['11.0.0.0/16']}}]}]}}",
            "spec.egress[0].to[0].ipBlock.except[0]: Invalid value: \"11.0.0.0/16\": must be a"
                + " strict subset of `cidr`"),
        create(
            "range by name",
            "networking.k8s.io/v1",
            "networkpolicies",
            "{spec:{ingress:[{ports:[{port:'http',endPort:9}]}]}}",
            "spec.ingress[0].ports[0].endPort: Invalid value: 9: may not be specified when `port`"
                + " is non-numeric"),
        create(
            "bits behind the prefix",
            "networking.k8s.io/v1",
            "servicecidrs",
            "{spec:{cidrs:['10.0.0.1/16']}}",
            "spec.cidrs[0]: Invalid value: \"10.0.0.1/16\": must not have bits set beyond the"
                + " prefix length"),
        new Case(
            "second family may join",
            "networking.k8s.io/v1",
            "servicecidrs",
            "{spec:{cidrs:['10.0.0.0/16']}}",
            "{spec:{cidrs:['10.0.0.0/16','fd00::/112']}}",
            ""),
        new Case(
            "parent stays",
            "networking.k8s.io/v1",
            "ipaddresses",
            "{spec:{parentRef:{resource:'services',name:'a'}}}",
            "{spec:{parentRef:{name:'b'}}}",
            "spec.parentRef: Invalid value: {\"resource\":\"services\",\"name\":\"b\"}: field is"
                + " immutable"),
        create(
            "no path type",
            "networking.k8s.io/v1",
            "ingresses",
            "{spec:{rules:[{http:{paths:[{path:'/',backend:{service:{name:'a',port:{number:80}}}}]}"
                + "}]}}",
            "spec.rules[0].http.paths[0].pathType: Required value: pathType must be specified"));
  }

  private static Stream<Case> services() {
    String port = "ports:[{port:80}]";
    return Stream.of(
        service("fine", port, ""),
        service("no ports", "ports:[]", "spec.ports: Required value"),
        service(
            "two unnamed",
            "ports:[{port:80},{port:81}]",
            "spec.ports[0].name: Required value; spec.ports[1].name: Required value"),
        service(
            "protocol",
            "ports:[{port:80,protocol:'HTTP'}]",
            "spec.ports[0].protocol: Unsupported value: \"HTTP\": supported values: \"SCTP\","
                + " \"TCP\", \"UDP\""),
        service(
            "port 0",
            "ports:[{port:0}]",
            "spec.ports[0].port: Invalid value: 0: must be between 1 and 65535, inclusive;"
                + " spec.ports[0].targetPort: Invalid value: 0: must be between 1 and 65535,"
                + " inclusive"),
        service(
            "type",
            "type:'X'," + port,
            "spec.type: Unsupported value: \"X\": supported values: \"ClusterIP\","
                + " \"ExternalName\", \"LoadBalancer\", \"NodePort\""),
        service(
            "affinity",
            "sessionAffinity:'x'," + port,
            "spec.sessionAffinity: Unsupported value: \"x\": supported values: \"ClientIP\","
                + " \"None\""),
        service(
            "affinity of a day is the most",
            "sessionAffinity:'ClientIP',sessionAffinityConfig:"
                + "{clientIP:{timeoutSeconds:86401}},"
                + port,
            "spec.sessionAffinityConfig.clientIP.timeoutSeconds: Invalid value: 86401: must be"
                + " greater than 0 and less than 86400"),
        service(
            "headless NodePort",
            "type:'NodePort',clusterIP:'None'," + port,
            "spec.clusterIPs[0]: Invalid value: \"None\": may not be set to 'None' for NodePort"
                + " services"),
        service(
            "node port without the type",
            "ports:[{port:80,nodePort:30001}]",
            "spec.ports[0].nodePort: Forbidden: may not be used when `type` is 'ClusterIP'"),
        service(
            "policy where nothing is external",
            "externalTrafficPolicy:'Local'," + port,
            "spec.externalTrafficPolicy: Invalid value: \"Local\": may only be set for"
                + " externally-accessible services"),
        service(
            "outside the range",
            "clusterIP:'9.9.9.9'," + port,
            "Service \"x\" is invalid: spec.clusterIPs: Invalid value: [\"9.9.9.9\"]: failed to"
                + " allocate IP 9.9.9.9: the provided network does not match the current range"),
        service(
            "taken",
            "clusterIP:'10.96.0.9'," + port,
            "Service \"x\" is invalid: spec.clusterIPs: Invalid value: [\"10.96.0.9\"]: failed to"
                + " allocate IP 10.96.0.9: provided IP is already allocated"),
        service(
            "node port taken",
            "type:'NodePort',ports:[{port:80,nodePort:30009}]",
            "Service \"x\" is invalid: spec.ports[0].nodePort: Invalid value: 30009: provided port"
                + " is already allocated"),
        service(
            "node port outside",
            "type:'NodePort',ports:[{port:80,nodePort:80}]",
            "Service \"x\" is invalid: spec.ports[0].nodePort: Invalid value: 80: provided port is"
                + " not in the valid range. The range of valid ports is 30000-32767"),
        service(
            "distribution",
            "trafficDistribution:'x'," + port,
            "spec.trafficDistribution: Unsupported value: \"x\": supported values: \"PreferClose\","
                + " \"PreferSameZone\", \"PreferSameNode\""),
        new Case(
            "address stays",
            "v1",
            "services",
            "{spec:{clusterIP:'10.96.0.20'," + port + "}}",
            "{spec:{clusterIP:'10.96.0.77'}}",
            "spec.clusterIPs[0]: Invalid value: [\"10.96.0.77\"]: may not change once set"),
        new Case(
            "class stays",
            "v1",
            "services",
            "{spec:{type:'LoadBalancer',loadBalancerClass:'a.b/c'," + port + "}}",
            "{spec:{loadBalancerClass:'a.b/d'}}",
            "spec.loadBalancerClass: Invalid value: \"a.b/d\": may not change once set"),
        new Case(
            "NodePort to ClusterIP",
            "v1",
            "services",
            "{spec:{type:'NodePort'," + port + "}}",
            "{spec:{type:'ClusterIP'}}",
            ""));
  }

  private static Stream<Case> others() {
    return Stream.of(
        create(
            "taint twice",
            "v1",
            "nodes",
            "{spec:{taints:[{key:'k',effect:'NoSchedule'},{key:'k',effect:'NoSchedule'}]}}",
            "metadata.taints[1]: Duplicate value:"
                + " {\"Key\":\"k\",\"Value\":\"\",\"Effect\":\"NoSchedule\",\"TimeAdded\":null}:"
                + " taints must be unique by key and effect pair"),
        new Case(
            "pod range stays",
            "v1",
            "nodes",
            "{spec:{podCIDR:'10.1.0.0/24'}}",
            "{spec:{podCIDR:'10.2.0.0/24',podCIDRs:['10.2.0.0/24']}}",
            "spec.podCIDRs: Forbidden: node updates may not change podCIDR except from \"\" to"
                + " valid"),
        create(
            "no time",
            "coordination.k8s.io/v1",
            "leases",
            "{spec:{leaseDurationSeconds:0}}",
            "spec.leaseDurationSeconds: Invalid value: 0: must be greater than 0"),
        create(
            "elsewhere",
            "v1",
            "events",
            "{involvedObject:{namespace:'other'}}",
            "involvedObject.namespace: Invalid value: \"other\": does not match event.namespace"),
        create(
            "both",
            "policy/v1",
            "poddisruptionbudgets",
            "{spec:{minAvailable:1,maxUnavailable:1}}",
            "spec: Invalid value: {\"MinAvailable\":1,\"Selector\":null,\"MaxUnavailable\":1,"
                + "\"UnhealthyPodEvictionPolicy\":null}: minAvailable and maxUnavailable cannot be"
                + " both set"),
        create(
            "no verbs",
            "rbac.authorization.k8s.io/v1",
            "roles",
            "{rules:[{apiGroups:[''],resources:['pods']}]}",
            "rules[0].verbs: Required value: verbs must contain at least one value"),
        create(
            "path in a namespace",
            "rbac.authorization.k8s.io/v1",
            "roles",
            "{rules:[{verbs:['get'],nonResourceURLs:['/x']}]}",
            "rules[0].nonResourceURLs: Invalid value: [\"/x\"]: namespaced rules cannot apply to"
                + " non-resource URLs"),
        create(
            "subject kind",
            "rbac.authorization.k8s.io/v1",
            "rolebindings",
            "{roleRef:{kind:'Role',name:'r'},subjects:[{kind:'Robot',name:'x'}]}",
            "subjects[0].kind: Unsupported value: \"Robot\": supported values: \"ServiceAccount\","
                + " \"User\", \"Group\""),
        new Case(
            "role stays",
            "rbac.authorization.k8s.io/v1",
            "clusterrolebindings",
            "{roleRef:{kind:'ClusterRole',name:'r'}}",
            "{roleRef:{name:'s'}}",
            "roleRef: Invalid value: {\"APIGroup\":\"rbac.authorization.k8s.io\",\"Kind\":"
                + "\"ClusterRole\",\"Name\":\"s\"}: cannot change roleRef"));
  }
}
