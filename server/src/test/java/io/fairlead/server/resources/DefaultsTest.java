package io.fairlead.server.resources;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.server.resource.Resource;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// What the server adds to a new object of each kind.
class DefaultsTest {
  private static final String TEMPLATE =
      "{metadata:{labels:{app:'web'}},spec:{containers:[{name:'c',image:'nginx:1.27'}]}}";
  private static final String SHOWN_TEMPLATE =
      """
      {metadata:{labels:{app:'web'}},spec:{containers:[{name:'c',image:'nginx:1.27',resources:{},
      terminationMessagePath:'/dev/termination-log',terminationMessagePolicy:'File',
      imagePullPolicy:'IfNotPresent'}],restartPolicy:'Always',terminationGracePeriodSeconds:30,
      dnsPolicy:'ClusterFirst',securityContext:{},schedulerName:'default-scheduler'}}\
      """;
  private static final String SELECTOR = "selector:{matchLabels:{app:'web'}}";

  /// @param shown everything but kind, apiVersion and metadata
  record Case(String name, String version, String plural, String given, String shown) {
    @Override
    public String toString() {
      return plural + " of " + version + ": " + name;
    }
  }

  static Stream<Case> cases() {
    return Stream.concat(Stream.concat(core(), workloads()), others());
  }

  private static Stream<Case> core() {
    return Stream.of(
        new Case("nothing", "v1", "configmaps", "{data:{k:'v'}}", "{data:{k:'v'}}"),
        new Case(
            "texts are folded",
            "v1",
            "secrets",
            "{stringData:{a:'b'}}",
            "{type:'Opaque',data:{a:'Yg=='}}"),
        new Case("nothing", "v1", "serviceaccounts", "{}", "{}"),
        new Case(
            "protocol",
            "v1",
            "endpoints",
            "{subsets:[{addresses:[{ip:'10.0.0.1'}],ports:[{port:80}]}]}",
            "{subsets:[{addresses:[{ip:'10.0.0.1'}],ports:[{port:80,protocol:'TCP'}]}]}"),
        new Case(
            "zero values are shown",
            "v1",
            "events",
            "{involvedObject:{namespace:'ns'}}",
            "{involvedObject:{namespace:'ns'},source:{},reportingComponent:'',reportingInstance:''}"),
        new Case(
            "finalizer and phase",
            "v1",
            "namespaces",
            "{}",
            "{spec:{finalizers:['kubernetes']},status:{phase:'Active'}}"),
        new Case(
            "not ready at first",
            "v1",
            "nodes",
            "{spec:{podCIDR:'10.1.0.0/24'}}",
            """
            {spec:{podCIDR:'10.1.0.0/24',podCIDRs:['10.1.0.0/24'],
            taints:[{key:'node.kubernetes.io/not-ready',effect:'NoSchedule'}]},
            status:{daemonEndpoints:{kubeletEndpoint:{Port:0}},nodeInfo:{machineID:'',systemUUID:'',
            bootID:'',kernelVersion:'',osImage:'',containerRuntimeVersion:'',kubeletVersion:'',
            kubeProxyVersion:'',operatingSystem:'',architecture:''}}}\
            """),
        new Case(
            "volume mode and phase",
            "v1",
            "persistentvolumeclaims",
            "{spec:{accessModes:['ReadWriteOnce'],resources:{requests:{storage:'1Gi'}}}}",
            "{spec:{accessModes:['ReadWriteOnce'],resources:{requests:{storage:'1Gi'}},"
                + "volumeMode:'Filesystem'},status:{phase:'Pending'}}"),
        new Case(
            "reclaim policy",
            "v1",
            "persistentvolumes",
            "{spec:{}}",
            "{spec:{persistentVolumeReclaimPolicy:'Retain',volumeMode:'Filesystem'},"
                + "status:{phase:'Pending',lastPhaseTransitionTime:'2026-01-02T03:04:05Z'}}"),
        new Case(
            "host network, no token",
            "v1",
            "pods",
            """
            {spec:{containers:[{name:'c',image:'nginx',ports:[{containerPort:80}],
            resources:{limits:{cpu:'1'}}}],hostNetwork:true,automountServiceAccountToken:false}}\
            """,
            """
            {spec:{containers:[{name:'c',image:'nginx',ports:[{containerPort:80,protocol:'TCP',
            hostPort:80}],resources:{limits:{cpu:'1'},requests:{cpu:'1'}},
            terminationMessagePath:'/dev/termination-log',terminationMessagePolicy:'File',
            imagePullPolicy:'Always'}],hostNetwork:true,automountServiceAccountToken:false,
            restartPolicy:'Always',terminationGracePeriodSeconds:30,dnsPolicy:'ClusterFirst',
            securityContext:{},schedulerName:'default-scheduler',enableServiceLinks:true,
            serviceAccountName:'default',serviceAccount:'default',priority:0,
            preemptionPolicy:'PreemptLowerPriority',tolerations:[
            {key:'node.kubernetes.io/not-ready',operator:'Exists',effect:'NoExecute',
            tolerationSeconds:300},{key:'node.kubernetes.io/unreachable',operator:'Exists',
            effect:'NoExecute',tolerationSeconds:300}]},
            status:{phase:'Pending',qosClass:'Burstable'}}\
            """),
        new Case(
            "static address",
            "v1",
            "services",
            "{spec:{clusterIP:'10.96.0.20',ports:[{port:80}]}}",
            """
            {spec:{clusterIP:'10.96.0.20',clusterIPs:['10.96.0.20'],ports:[{port:80,protocol:'TCP',
            targetPort:80}],type:'ClusterIP',sessionAffinity:'None',internalTrafficPolicy:'Cluster',
            ipFamilyPolicy:'SingleStack',ipFamilies:['IPv4']},status:{loadBalancer:{}}}\
            """),
        new Case(
            "headless without selector has both families",
            "v1",
            "services",
            "{spec:{clusterIP:'None'}}",
            """
            {spec:{clusterIP:'None',clusterIPs:['None'],type:'ClusterIP',sessionAffinity:'None',
            internalTrafficPolicy:'Cluster',ipFamilyPolicy:'RequireDualStack',
            ipFamilies:['IPv4','IPv6']},status:{loadBalancer:{}}}\
            """),
        new Case(
            "affinity of an ExternalName without a config",
            "v1",
            "services",
            "{spec:{type:'ExternalName',externalName:'a.b',sessionAffinity:'ClientIP'}}",
            """
            {spec:{type:'ExternalName',externalName:'a.b',sessionAffinity:'ClientIP',
            sessionAffinityConfig:{clientIP:{timeoutSeconds:10800}}},status:{loadBalancer:{}}}\
            """));
  }

  private static Stream<Case> workloads() {
    String spec = SELECTOR + ",template:" + TEMPLATE;
    String shown = SELECTOR + ",template:" + SHOWN_TEMPLATE;
    return Stream.of(
        new Case(
            "rolling update",
            "apps/v1",
            "deployments",
            "{spec:{" + spec + "}}",
            "{spec:{replicas:1,"
                + shown
                + ",strategy:{type:'RollingUpdate',rollingUpdate:"
                + "{maxUnavailable:'25%',maxSurge:'25%'}},revisionHistoryLimit:10,"
                + "progressDeadlineSeconds:600},status:{}}"),
        new Case(
            "zero replicas stay",
            "apps/v1",
            "replicasets",
            "{spec:{replicas:0," + spec + "}}",
            "{spec:{replicas:0," + shown + "},status:{replicas:0}}"),
        new Case(
            "order and retention",
            "apps/v1",
            "statefulsets",
            "{spec:{" + spec + "}}",
            "{spec:{replicas:1,"
                + shown
                + ",podManagementPolicy:'OrderedReady',updateStrategy:"
                + "{type:'RollingUpdate',rollingUpdate:{partition:0}},revisionHistoryLimit:10,"
                + "persistentVolumeClaimRetentionPolicy:{whenDeleted:'Retain',"
                + "whenScaled:'Retain'}},status:{replicas:0,availableReplicas:0}}"),
        new Case(
            "one at a time",
            "apps/v1",
            "daemonsets",
            "{spec:{" + spec + "}}",
            "{spec:{"
                + shown
                + ",updateStrategy:{type:'RollingUpdate',rollingUpdate:"
                + "{maxUnavailable:1,maxSurge:0}},revisionHistoryLimit:10},status:"
                + "{currentNumberScheduled:0,numberMisscheduled:0,desiredNumberScheduled:0,"
                + "numberReady:0}}"),
        new Case(
            "nothing",
            "apps/v1",
            "controllerrevisions",
            "{revision:1,data:{}}",
            "{revision:1,data:{}}"));
  }

  private static Stream<Case> others() {
    return Stream.of(
        new Case(
            "empty structs are shown",
            "events.k8s.io/v1",
            "events",
            "{}",
            "{regarding:{},deprecatedSource:{}}"),
        new Case(
            "target",
            "autoscaling/v2",
            "horizontalpodautoscalers",
            "{spec:{maxReplicas:3}}",
            "{spec:{maxReplicas:3,minReplicas:1,metrics:[{type:'Resource',resource:{name:'cpu',"
                + "target:{type:'Utilization',averageUtilization:80}}}]},"
                + "status:{desiredReplicas:0}}"),
        new Case(
            "least",
            "autoscaling/v1",
            "horizontalpodautoscalers",
            "{spec:{maxReplicas:3}}",
            "{spec:{maxReplicas:3,minReplicas:1,targetCPUUtilizationPercentage:80},"
                + "status:{currentReplicas:0,desiredReplicas:0}}"),
        new Case(
            "one of a kind",
            "policy/v1",
            "poddisruptionbudgets",
            "{spec:{minAvailable:1}}",
            "{spec:{minAvailable:1},status:{disruptionsAllowed:0,currentHealthy:0,"
                + "desiredHealthy:0,expectedPods:0}}"),
        new Case(
            "egress adds its type",
            "networking.k8s.io/v1",
            "networkpolicies",
            "{spec:{egress:[{ports:[{port:53}]}]}}",
            "{spec:{podSelector:{},egress:[{ports:[{port:53,protocol:'TCP'}]}],"
                + "policyTypes:['Ingress','Egress']}}"),
        new Case(
            "status",
            "networking.k8s.io/v1",
            "servicecidrs",
            "{spec:{cidrs:['10.0.0.0/24']}}",
            "{spec:{cidrs:['10.0.0.0/24']},status:{}}"),
        new Case(
            "status",
            "networking.k8s.io/v1",
            "ingresses",
            "{}",
            "{spec:{},status:{loadBalancer:{}}}"),
        new Case(
            "group of the role",
            "rbac.authorization.k8s.io/v1",
            "rolebindings",
            "{roleRef:{kind:'Role',name:'r'},subjects:[{kind:'User',name:'bob'}]}",
            "{roleRef:{kind:'Role',name:'r',apiGroup:'rbac.authorization.k8s.io'},subjects:"
                + "[{kind:'User',name:'bob',apiGroup:'rbac.authorization.k8s.io'}]}"),
        new Case("spec is shown", "coordination.k8s.io/v1", "leases", "{}", "{spec:{}}"),
        new Case(
            "labels and selector of the template",
            "v1",
            "replicationcontrollers",
            "{spec:{template:{metadata:{labels:{a:'b'}}}}}",
            "{spec:{replicas:1,selector:{a:'b'},template:{metadata:{labels:{a:'b'}},spec:{"
                + "dnsPolicy:'ClusterFirst',restartPolicy:'Always',schedulerName:"
                + "'default-scheduler',securityContext:{},terminationGracePeriodSeconds:30}}},"
                + "status:{replicas:0}}"),
        new Case(
            "what becomes of a volume, and when",
            "storage.k8s.io/v1",
            "storageclasses",
            "{provisioner:'p'}",
            "{provisioner:'p',reclaimPolicy:'Delete',volumeBindingMode:'Immediate'}"),
        new Case(
            "what a driver wants",
            "storage.k8s.io/v1",
            "csidrivers",
            "{}",
            "{spec:{attachRequired:true,podInfoOnMount:false,storageCapacity:false,"
                + "fsGroupPolicy:'ReadWriteOnceWithFSType',requiresRepublish:false,"
                + "seLinuxMount:false,volumeLifecycleModes:['Persistent']}}"),
        new Case(
            "whatever cannot be asked refuses",
            "admissionregistration.k8s.io/v1",
            "validatingwebhookconfigurations",
            "{webhooks:[{name:'a',clientConfig:{service:{namespace:'n',name:'s'}},"
                + "rules:[{apiGroups:['']}],sideEffects:'None',"
                + "admissionReviewVersions:['v1']}]}",
            "{webhooks:[{name:'a',clientConfig:{service:{namespace:'n',name:'s',"
                + "port:443}},rules:[{apiGroups:[''],scope:'*'}],sideEffects:'None',"
                + "admissionReviewVersions:['v1'],failurePolicy:'Fail',"
                + "matchPolicy:'Equivalent',namespaceSelector:{},objectSelector:{},"
                + "timeoutSeconds:10}]}"),
        new Case(
            "asked once",
            "admissionregistration.k8s.io/v1",
            "mutatingwebhookconfigurations",
            "{webhooks:[{name:'a',clientConfig:{service:{namespace:'n',name:'s'}},"
                + "rules:[{apiGroups:['']}],sideEffects:'None',"
                + "admissionReviewVersions:['v1']}]}",
            "{webhooks:[{name:'a',clientConfig:{service:{namespace:'n',name:'s',"
                + "port:443}},rules:[{apiGroups:[''],scope:'*'}],sideEffects:'None',"
                + "admissionReviewVersions:['v1'],failurePolicy:'Fail',"
                + "matchPolicy:'Equivalent',namespaceSelector:{},objectSelector:{},"
                + "timeoutSeconds:10,reinvocationPolicy:'Never'}]}"),
        new Case(
            "whatever has no value refuses",
            "admissionregistration.k8s.io/v1",
            "validatingadmissionpolicies",
            "{spec:{matchConstraints:{resourceRules:[{apiGroups:['']}]},"
                + "validations:[{expression:'true'}]}}",
            "{spec:{failurePolicy:'Fail',"
                + "matchConstraints:{matchPolicy:'Equivalent',namespaceSelector:{},"
                + "objectSelector:{},resourceRules:[{apiGroups:[''],scope:'*'}]},"
                + "validations:[{expression:'true'}]},status:{observedGeneration:1,"
                + "typeChecking:{}}}"),
        new Case(
            "whatever fails to change refuses",
            "admissionregistration.k8s.io/v1",
            "mutatingadmissionpolicies",
            "{spec:{matchConstraints:{resourceRules:[{apiGroups:['']}]}}}",
            "{spec:{failurePolicy:'Fail',"
                + "matchConstraints:{matchPolicy:'Equivalent',namespaceSelector:{},"
                + "objectSelector:{},resourceRules:[{apiGroups:[''],scope:'*'}]}}}"),
        new Case(
            "what it changes, in other versions too",
            "admissionregistration.k8s.io/v1",
            "mutatingadmissionpolicybindings",
            "{spec:{policyName:'p',matchResources:{}}}",
            "{spec:{policyName:'p',matchResources:{matchPolicy:'Equivalent',"
                + "namespaceSelector:{},objectSelector:{}}}}"),
        new Case(
            "other versions too",
            "admissionregistration.k8s.io/v1",
            "validatingadmissionpolicybindings",
            "{spec:{policyName:'p',matchResources:{}}}",
            "{spec:{policyName:'p',matchResources:{matchPolicy:'Equivalent',"
                + "namespaceSelector:{},objectSelector:{}}}}"),
        new Case(
            "port",
            "apiregistration.k8s.io/v1",
            "apiservices",
            "{spec:{group:'g',version:'v1',groupPriorityMinimum:1,"
                + "versionPriority:1,service:{name:'s',namespace:'n'}}}",
            "{spec:{group:'g',version:'v1',groupPriorityMinimum:1,"
                + "versionPriority:1,service:{name:'s',namespace:'n',port:443}},"
                + "status:{}}"),
        new Case(
            "names follow from the kind, and versions differ in name alone",
            "apiextensions.k8s.io/v1",
            "customresourcedefinitions",
            "{spec:{group:'g',scope:'Cluster',names:{plural:'as',kind:'A'},"
                + "versions:[{name:'v1',served:true,storage:true}]}}",
            "{spec:{group:'g',scope:'Cluster',names:{plural:'as',kind:'A',singular:'a',"
                + "listKind:'AList'},versions:[{name:'v1',served:true,storage:true}],"
                + "conversion:{strategy:'None'}},status:{acceptedNames:{kind:'',plural:''},"
                + "conditions:[],storedVersions:['v1']}}"),
        new Case("no drivers are none", "storage.k8s.io/v1", "csinodes", "{}", "{spec:{}}"),
        new Case(
            "not attached",
            "storage.k8s.io/v1",
            "volumeattachments",
            "{spec:{}}",
            "{spec:{},status:{attached:false}}"),
        new Case(
            "preemption",
            "scheduling.k8s.io/v1",
            "priorityclasses",
            "{value:1}",
            "{value:1,preemptionPolicy:'PreemptLowerPriority'}"),
        new Case(
            "precedence",
            "flowcontrol.apiserver.k8s.io/v1",
            "flowschemas",
            "{}",
            "{spec:{matchingPrecedence:1000},status:{}}"),
        new Case(
            "shares and queues",
            "flowcontrol.apiserver.k8s.io/v1",
            "prioritylevelconfigurations",
            "{spec:{type:'Limited',limited:{limitResponse:{type:'Queue',queuing:{}}}}}",
            "{spec:{type:'Limited',limited:{nominalConcurrencyShares:30,lendablePercent:0,"
                + "limitResponse:{type:'Queue',queuing:{queues:64,handSize:8,"
                + "queueLengthLimit:50}}}},status:{}}"),
        new Case(
            "one device",
            "resource.k8s.io/v1",
            "resourceclaims",
            "{spec:{devices:{requests:[{name:'r',exactly:{deviceClassName:'c'}}]}}}",
            "{spec:{devices:{requests:[{name:'r',exactly:{deviceClassName:'c',"
                + "allocationMode:'ExactCount',count:1}}]}},status:{}}"),
        new Case(
            "one device of a template",
            "resource.k8s.io/v1",
            "resourceclaimtemplates",
            "{spec:{spec:{devices:{requests:[{name:'r',exactly:{deviceClassName:'c'}}]}}}}",
            "{spec:{spec:{devices:{requests:[{name:'r',exactly:{deviceClassName:'c',"
                + "allocationMode:'ExactCount',count:1}}]}}}}"),
        new Case(
            "who asks",
            "certificates.k8s.io/v1",
            "certificatesigningrequests",
            "{spec:{username:'somebody else'}}",
            "{spec:{username:'bob',groups:['system:authenticated']},status:{}}"),
        new Case("spec of a class", "resource.k8s.io/v1", "deviceclasses", "{}", "{spec:{}}"),
        new Case(
            "conditions, names and protocols",
            "discovery.k8s.io/v1",
            "endpointslices",
            "{addressType:'IPv4',endpoints:[{addresses:['10.0.0.1']}],ports:[{port:80}]}",
            "{addressType:'IPv4',endpoints:[{addresses:['10.0.0.1'],conditions:{}}],"
                + "ports:[{port:80,name:'',protocol:'TCP'}]}"));
  }

  @ParameterizedTest
  @MethodSource("cases")
  void newObject(Case row) {
    FakeContext context = new FakeContext();
    context.put("", "serviceaccounts", "ns", ResourcePipeline.json("{metadata:{name:'default'}}"));
    context.put(
        "rbac.authorization.k8s.io", "roles", "ns", ResourcePipeline.json("{metadata:{name:'r'}}"));
    Resource resource = ResourcePipeline.of(row.version(), row.plural());
    ObjectNode object = ResourcePipeline.json(row.given());
    object.putObject("metadata").put("name", "x");
    ObjectNode made = ResourcePipeline.made(resource, object, context);
    made.remove("metadata");
    assertThat(sorted(made)).isEqualTo(sorted(ResourcePipeline.json(row.shown())));
  }

  @ParameterizedTest
  @MethodSource("cases")
  void defaultingTwiceChangesNothing(Case row) {
    Resource resource = ResourcePipeline.of(row.version(), row.plural());
    ObjectNode once = ResourcePipeline.json(row.given());
    resource.applyDefaults(once);
    ObjectNode twice = once.deepCopy();
    resource.applyDefaults(twice);
    assertThat(twice).isEqualTo(once);
  }

  /// Kinds that take objects as they are.
  private static final Set<String> PLAIN =
      Set.of(
          "limitranges",
          "resourcequotas",
          "roles",
          "clusterroles",
          "clusterrolebindings",
          "ipaddresses",
          "ingressclasses",
          "podtemplates",
          "csistoragecapacities",
          "volumeattributesclasses",
          "runtimeclasses",
          "resourceslices",
          "jobs",
          "cronjobs");

  @Test
  void everyStoredKindHasARow() {
    Set<String> rows = cases().map(Case::plural).collect(Collectors.toSet());
    Set<String> kinds =
        BuiltInResources.all().stream()
            .map(Resource::descriptor)
            .filter(descriptor -> !descriptor.storagePrefix().isEmpty())
            .map(descriptor -> descriptor.plural())
            .filter(plural -> !PLAIN.contains(plural))
            .collect(Collectors.toSet());
    assertThat(rows).containsAll(kinds);
  }

  private static String sorted(JsonNode node) {
    return SortedJson.text(node);
  }
}
