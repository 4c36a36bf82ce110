package io.fairlead.server.resources;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.server.resource.Resource;
import io.fairlead.server.resources.service.ServiceClaims;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.node.ObjectNode;

/// What the server says of objects that are not right, and that it says nothing of those that are.
class ValidationTest {
  private static final String C = "containers:[{name:'c',image:'i:1'";

  /// @param change what is changed in an object that exists; empty for a new object
  record Case(
      String name, String version, String plural, String given, String change, String problems) {
    @Override
    public String toString() {
      return plural + ": " + name;
    }
  }

  private static Case create(
      String name, String version, String plural, String given, String problems) {
    return new Case(name, version, plural, given, "", problems);
  }

  private static Case pod(String name, String spec, String problems) {
    return create(
        name, "v1", "pods", "{spec:{automountServiceAccountToken:false," + spec + "}}", problems);
  }

  private static Case service(String name, String spec, String problems) {
    return create(name, "v1", "services", "{spec:{" + spec + "}}", problems);
  }

  static Stream<Case> cases() {
    return Stream.of(pods(), podChanges(), workloads(), config(), network(), services(), others())
        .flatMap(rows -> rows);
  }

  private static Stream<Case> pods() {
    return Stream.of(
        pod("fine", C + "}]", ""),
        pod("no container", "containers:[]", "spec.containers: Required value"),
        pod("no image", "containers:[{name:'c'}]", "spec.containers[0].image: Required value"),
        pod(
            "twice the name",
            "containers:[{name:'c',image:'i'},{name:'c',image:'i'}]",
            "spec.containers[1].name: Duplicate value: \"c\""),
        pod(
            "no port number",
            C + ",ports:[{name:'a'}]}]",
            "spec.containers[0].ports[0].containerPort: Required value"),
        pod(
            "port name too long",
            C + ",ports:[{containerPort:1,name:'sixteen-letters-'}]}]",
            "spec.containers[0].ports[0].name: Invalid value: \"sixteen-letters-\": must be no more"
                + " than 15 characters; spec.containers[0].ports[0].name: Invalid value:"
                + " \"sixteen-letters-\": must not begin or end with a hyphen"),
        pod(
            "unknown volume",
            C + ",volumeMounts:[{name:'x',mountPath:'/v'}]}]",
            "spec.containers[0].volumeMounts[0].name: Not found: \"x\""),
        pod(
            "one path for two",
            C
                + ",volumeMounts:[{name:'x',mountPath:'/v'},{name:'x',mountPath:"
                + "'/v'}]}],volumes:[{name:'x'}]",
            "spec.containers[0].volumeMounts[1].mountPath: Invalid value: \"/v\": must be unique"),
        pod(
            "asks for more than its limit",
            C + ",resources:{requests:{cpu:'2'},limits:{cpu:'1'}}}]",
            "spec.containers[0].resources.requests: Invalid value: \"2\": must be less than or equal"
                + " to cpu limit of 1"),
        pod(
            "restart policy",
            C + "}],restartPolicy:'Maybe'",
            "spec.restartPolicy: Unsupported value: \"Maybe\": supported values: \"Always\","
                + " \"OnFailure\", \"Never\""),
        pod(
            "DNS policy",
            C + "}],dnsPolicy:'x'",
            "spec.dnsPolicy: Unsupported value: \"x\": supported values:"
                + " \"ClusterFirstWithHostNet\", \"ClusterFirst\", \"Default\", \"None\""),
        pod(
            "DNS without servers",
            C + "}],dnsPolicy:'None'",
            "spec.dnsConfig.nameservers: Required value: must provide at least one DNS nameserver"
                + " when `dnsPolicy` is None"),
        pod(
            "probe without a handler",
            C + ",livenessProbe:{}}]",
            "spec.containers[0].livenessProbe: Required value: must specify a handler type"),
        pod(
            "probe with two handlers",
            C + ",livenessProbe:{exec:{command:['x']},tcpSocket:{port:1}" + "}}]",
            "spec.containers[0].livenessProbe.tcpSocket: Forbidden: may not specify more"
                + " than 1 handler type"),
        pod(
            "volume with two sources",
            C + "}],volumes:[{name:'v',emptyDir:{},hostPath:{path:'/'}}]",
            "spec.volumes[0].hostPath: Forbidden: may not specify more than 1 volume type"),
        pod(
            "variable without a name",
            C + ",env:[{value:'1'}]}]",
            "spec.containers[0].env[0].name: Required value"),
        pod(
            "host port twice",
            C + ",ports:[{containerPort:1,hostPort:9},{containerPort:2,hostPort:" + "9}]}]",
            "spec.containers[0].ports[1].hostPort: Duplicate value: \"9//TCP\""),
        pod(
            "hostname with a dot",
            C + "}],hostname:'a.b'",
            "spec.hostname: Invalid value: \"a.b\": must not contain dots"),
        pod(
            "unknown account",
            C + "}],serviceAccountName:'bot'",
            "pods \"x\" is forbidden: error looking up service account ns/bot: serviceaccount"
                + " \"bot\" not found"),
        pod(
            "unknown priority class",
            C + "}],priorityClassName:'gold'",
            "pods \"x\" is forbidden: no PriorityClass with name gold was found"));
  }

  private static Stream<Case> podChanges() {
    String given =
        "{spec:{automountServiceAccountToken:false,activeDeadlineSeconds:50," + C + "}]}}";
    String prefix = "{spec:{containers:[{name:'c',image:'i:2'";
    return Stream.of(
        new Case("image may change", "v1", "pods", given, prefix + "}]}}", ""),
        new Case(
            "deadline may shrink", "v1", "pods", given, "{spec:{activeDeadlineSeconds:40}}", ""),
        new Case(
            "deadline may not grow",
            "v1",
            "pods",
            given,
            "{spec:{activeDeadlineSeconds:60}}",
            "spec.activeDeadlineSeconds: Invalid value: 60: must be less than or equal to previous"
                + " value"),
        new Case(
            "command may not change",
            "v1",
            "pods",
            given,
            prefix + ",command:['x']}]}}",
            "spec: Forbidden: pod updates may not change fields other than"
                + " `spec.containers[*].image`,`spec.initContainers[*].image`,"
                + "`spec.activeDeadlineSeconds`,`spec.tolerations` (only additions to existing"
                + " tolerations),`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it"
                + " was previously negative)\nchanged: spec.containers"));
  }

  private static Stream<Case> workloads() {
    String template = "template:{metadata:{labels:{app:'web'}},spec:{" + C + "}]}}";
    String selector = "selector:{matchLabels:{app:'web'}}";
    String fine = "{spec:{" + selector + "," + template + "}}";
    return Stream.of(
        create("fine", "apps/v1", "deployments", fine, ""),
        create(
            "no selector",
            "apps/v1",
            "deployments",
            "{spec:{" + template + "}}",
            "spec.selector: Required value; spec.template.metadata.labels: Invalid value:"
                + " {\"app\":\"web\"}: `selector` does not match template `labels`"),
        create(
            "empty selector",
            "apps/v1",
            "deployments",
            "{spec:{selector:{}," + template + "}}",
            "spec.selector: Invalid value: {}: empty selector is invalid for deployment"),
        create(
            "both zero",
            "apps/v1",
            "deployments",
            "{spec:{"
                + selector
                + ","
                + template
                + ",strategy:{rollingUpdate:{maxSurge:0,maxUnavailable:0}}}}",
            "spec.strategy.rollingUpdate.maxUnavailable: Invalid value: 0: may not be 0 when"
                + " `maxSurge` is 0"),
        create(
            "below zero",
            "apps/v1",
            "replicasets",
            "{spec:{replicas:-1," + selector + "," + template + "}}",
            "spec.replicas: Invalid value: -1: must be greater than or equal to 0"),
        create(
            "deadline too short",
            "apps/v1",
            "deployments",
            "{spec:{minReadySeconds:9,"
                + "progressDeadlineSeconds:5,"
                + selector
                + ","
                + template
                + "}}",
            "spec.progressDeadlineSeconds: Invalid value: 5: must be greater than minReadySeconds"),
        new Case(
            "selector stays",
            "apps/v1",
            "daemonsets",
            fine,
            "{spec:{selector:{matchLabels:{app:null,x:'y'}},template:{metadata:{labels:{x:'y'}}}}}",
            "spec.selector: Invalid value: {\"matchLabels\":{\"x\":\"y\"}}: field is immutable"),
        new Case(
            "service name stays",
            "apps/v1",
            "statefulsets",
            fine,
            "{spec:{serviceName:'other'}}",
            "spec: Forbidden: updates to statefulset spec for fields other than 'replicas',"
                + " 'ordinals', 'template', 'updateStrategy', 'revisionHistoryLimit',"
                + " 'persistentVolumeClaimRetentionPolicy' and 'minReadySeconds' are forbidden"),
        new Case("replicas may change", "apps/v1", "statefulsets", fine, "{spec:{replicas:3}}", ""),
        create(
            "never ends",
            "batch/v1",
            "jobs",
            "{spec:{" + template + "}}",
            "spec.template.spec.restartPolicy: Required value: valid values: \"OnFailure\","
                + " \"Never\""),
        create(
            "no schedule",
            "batch/v1",
            "cronjobs",
            "{spec:{jobTemplate:{spec:{template:{spec:{" + C + "}],restartPolicy:'Never'}}}}}}",
            "spec.schedule: Required value"),
        create(
            "most below least",
            "autoscaling/v2",
            "horizontalpodautoscalers",
            "{spec:{minReplicas:3,maxReplicas:2,scaleTargetRef:{kind:'D',name:'d'}}}",
            "spec.maxReplicas: Invalid value: 2: must be greater than or equal to `minReplicas`"));
  }

  private static Stream<Case> config() {
    String frozen = "field is immutable when `immutable` is set";
    return Stream.of(
        create(
            "bad key",
            "v1",
            "configmaps",
            "{data:{'a b':'x'}}",
            "data[a b]: Invalid value: \"a b\": a valid config key must consist of alphanumeric"
                + " characters, '-', '_' or '.' (e.g. 'key.name',  or 'KEY_NAME',  or 'key-name',"
                + " regex used for validation is '[-._a-zA-Z0-9]+')"),
        new Case(
            "frozen data",
            "v1",
            "configmaps",
            "{immutable:true,data:{a:'1'}}",
            "{data:{a:'2'}}",
            "data: Forbidden: " + frozen),
        new Case(
            "stays frozen",
            "v1",
            "secrets",
            "{immutable:true}",
            "{immutable:false}",
            "immutable: Forbidden: " + frozen),
        new Case(
            "type stays",
            "v1",
            "secrets",
            "{}",
            "{type:'x'}",
            "type: Invalid value: \"x\": field is immutable"),
        create(
            "TLS without keys",
            "v1",
            "secrets",
            "{type:'kubernetes.io/tls'}",
            "data[tls.crt]: Required value; data[tls.key]: Required value"),
        create(
            "password alone is enough",
            "v1",
            "secrets",
            "{type:'kubernetes.io/basic-auth',data:{password:''}}",
            ""));
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
            "endpoints[0].addresses: Invalid value: \"fd00::1\": must be an IPv4 address"),
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
            "endpoints[0].addresses: Invalid value: \"fd00:0::1\": must be in canonical form"
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
            "spec.cidrs[0]: Invalid value: \"10.0.0.1/16\": must not have bits set beyond the prefix"
                + " length"),
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
            "metadata.taints[1]: Duplicate value: {\"key\":\"k\",\"effect\":\"NoSchedule\"}: taints"
                + " must be unique by key and effect pair"),
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
            "spec: Invalid value: {\"minAvailable\":1,\"maxUnavailable\":1}: minAvailable and"
                + " maxUnavailable cannot be both set"),
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
            "roleRef: Invalid value: {\"kind\":\"ClusterRole\",\"name\":\"s\",\"apiGroup\":"
                + "\"rbac.authorization.k8s.io\"}: cannot change roleRef"));
  }

  @ParameterizedTest
  @MethodSource("cases")
  void verdict(Case row) {
    Resource resource = Kinds.of(row.version(), row.plural());
    FakeContext context = new FakeContext();
    context.put("", "serviceaccounts", "ns", Kinds.json("{metadata:{name:'default'}}"));
    context.put(
        "networking.k8s.io", "ipaddresses", "", Kinds.json("{metadata:{name:'10.96.0.9'}}"));
    context.claimed.add(ServiceClaims.NODE_PORTS + "30009");
    ObjectNode object = Kinds.json(row.given());
    object.putObject("metadata").put("name", "x");
    String problems =
        row.change().isEmpty()
            ? Kinds.problemsOf(resource, object, context)
            : Kinds.problemsOfChange(resource, object, Kinds.json(row.change()), context);
    assertThat(problems).isEqualTo(row.problems());
  }
}
