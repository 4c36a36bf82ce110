package io.fairlead.server.resources;

import static io.fairlead.server.resources.ValidationTest.create;

import io.fairlead.server.resources.ValidationTest.Case;
import java.util.stream.Stream;

/// Rows of [ValidationTest]: pods, what is made of pods, and configuration.
final class PodValidationRows {
  private static final String C = "containers:[{name:'c',image:'i:1'";

  private PodValidationRows() {}

  static Stream<Case> all() {
    return Stream.of(pods(), podChanges(), workloads(), config()).flatMap(rows -> rows);
  }

  private static Case pod(String name, String spec, String problems) {
    return create(
        name, "v1", "pods", "{spec:{automountServiceAccountToken:false," + spec + "}}", problems);
  }

  private static Case items(String name, String source, String problems) {
    return pod(
        "volume: " + name,
        C + "}],volumes:[{name:'v'," + source + "}]",
        "spec.volumes[0]." + problems);
  }

  private static Stream<Case> pods() {
    return Stream.of(
        pod("fine", C + "}]", ""),
        items(
            "climbs out",
            "secret:{secretName:'s',items:[{key:'k',path:'../x'}]}",
            "secret.items[0].path: Invalid value: \"../x\": must not contain '..'"),
        items(
            "climbs out later",
            "configMap:{name:'c',items:[{key:'k',path:'a/../../x'}]}",
            "configMap.items[0].path: Invalid value: \"a/../../x\": must not contain '..'"),
        items(
            "begins at the root",
            "configMap:{name:'c',items:[{key:'k',path:'/etc/x'}]}",
            "configMap.items[0].path: Invalid value: \"/etc/x\": must be a relative path"),
        items(
            "a reserved name",
            "downwardAPI:{items:[{path:'..data',fieldRef:{fieldPath:'metadata.name'}}]}",
            "downwardAPI.path: Invalid value: \"..data\": must not start with '..'"),
        items(
            "only the parent",
            "secret:{secretName:'s',items:[{key:'k',path:'..'}]}",
            "secret.items[0].path: Invalid value: \"..\": must not contain '..';"
                + " spec.volumes[0].secret.items[0].path: Invalid value: \"..\": must not start"
                + " with '..'"),
        items(
            "in a projected secret",
            "projected:{sources:[{secret:{name:'s',items:[{key:'k',path:'b/../..'}]}}]}",
            "projected.sources[0].secret.items[0].path: Invalid value: \"b/../..\": must not"
                + " contain '..'"),
        items(
            "in a projected token",
            "projected:{sources:[{serviceAccountToken:{path:'../t'}}]}",
            "projected.path: Invalid value: \"../t\": must not" + " contain '..'"),
        items(
            "no path",
            "secret:{secretName:'s',items:[{key:'k'}]}",
            "secret.items[0].path: Required value"),
        items(
            "no key",
            "secret:{secretName:'s',items:[{path:'p'}]}",
            "secret.items[0].key: Required value"),
        items(
            "on the host",
            "hostPath:{path:'/a/../etc'}",
            "hostPath.path: Invalid value: \"/a/../etc\": must not contain '..'"),
        pod(
            "dots in a name are fine",
            C + "}],volumes:[{name:'v',secret:{secretName:'s',items:[{key:'k',path:'a..b/c..'}]}}]",
            ""),
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
            "spec.containers[0].resources.requests: Invalid value: \"2\": must be less than or"
                + " equal to cpu limit of 1"),
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
            "spec.containers[0].ports[1].hostPort: Duplicate value: \"TCP//9\""),
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
                + " `spec.containers[*].image`,`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,`spec.tolerations`"
                + " (only additions to existing tolerations),`spec.terminationGracePeriodSeconds`"
                + " (allow it to be set to 1 if it was previously negative)\n"
                + "changed: spec.containers"));
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
        failurePolicy(
            "a policy may count, ignore and fail",
            "{action:'FailJob',onExitCodes:{operator:'In',values:[42]}},"
                + "{action:'Ignore',onPodConditions:[{type:'DisruptionTarget'}]},"
                + "{action:'Count',onExitCodes:{operator:'NotIn',values:[0,1]}}",
            ""),
        failurePolicy(
            "unknown action",
            "{action:'Retry',onExitCodes:{operator:'In',values:[42]}}",
            "spec.podFailurePolicy.rules[0].action: Unsupported value: \"Retry\": supported"
                + " values: \"Count\", \"FailIndex\", \"FailJob\", \"Ignore\""),
        failurePolicy(
            "zero is no failure",
            "{action:'FailJob',onExitCodes:{operator:'In',values:[0]}}",
            "spec.podFailurePolicy.rules[0].onExitCodes.values[0]: Invalid value: 0: must not be 0"
                + " for the In operator"),
        failurePolicy(
            "an index fails only where indexes have limits",
            "{action:'FailIndex',onExitCodes:{operator:'In',values:[1]}}",
            "spec.podFailurePolicy.rules[0].action: Invalid value: \"FailIndex\": requires the"
                + " backoffLimitPerIndex to be set"),
        create(
            "a policy needs pods that are not restarted",
            "batch/v1",
            "jobs",
            "{spec:{podFailurePolicy:{rules:[]},template:{spec:{"
                + C
                + "}],restartPolicy:'OnFailure'}}}}",
            "spec.template.spec.restartPolicy: Invalid value: \"OnFailure\": only \"Never\" is"
                + " supported when podFailurePolicy is specified"),
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
            "{spec:{minReplicas:3,maxReplicas:2,scaleTargetRef:{apiVersion:'a/v1',kind:'D',name:'d'}}}",
            "spec.maxReplicas: Invalid value: 2: must be greater than or equal to `minReplicas`"));
  }

  private static Case failurePolicy(String name, String rules, String expected) {
    String pods = "template:{spec:{" + C + "}],restartPolicy:'Never'}}";
    String spec = "{spec:{podFailurePolicy:{rules:[" + rules + "]}," + pods + "}}";
    return create(name, "batch/v1", "jobs", spec, expected);
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
}
