package io.fairlead.server.resources;

import io.fairlead.server.resources.ResourceTablesTest.Case;
import java.util.stream.Stream;

/// Rows of [ResourceTablesTest]: all kinds but pods, Services and the network.
final class OtherTableRows {
  private static final String AGE = "2026-01-02T02:04:05Z";

  private OtherTableRows() {}

  static Stream<Case> all() {
    String template = "template:{spec:{containers:[{name:'c',image:'i:1'}],nodeSelector:{a:'b'}}}";
    String selector = "selector:{matchLabels:{app:'web'}}";
    return Stream.of(
        new Case(
            "served by others, not there",
            "apiregistration.k8s.io/v1",
            "apiservices",
            "{spec:{service:{namespace:'n',name:'s'}},status:{conditions:[{type:'Available',"
                + "status:'False',reason:'MissingEndpoints'}]}}",
            "Name,Service,Available,Age|",
            "x;n/s;False (MissingEndpoints);60m"),
        new Case(
            "rules with parameters",
            "admissionregistration.k8s.io/v1",
            "validatingadmissionpolicies",
            "{spec:{paramKind:{apiVersion:'v1',kind:'ConfigMap'},validations:[{}]}}",
            "Name,Validations,ParamKind,Age|",
            "x;1;v1/ConfigMap;60m"),
        new Case(
            "bound with parameters",
            "admissionregistration.k8s.io/v1",
            "validatingadmissionpolicybindings",
            "{spec:{policyName:'p',paramRef:{namespace:'n',name:'c'}}}",
            "Name,PolicyName,ParamRef,Age|",
            "x;p;n/c;60m"),
        new Case(
            "changes without parameters",
            "admissionregistration.k8s.io/v1",
            "mutatingadmissionpolicies",
            "{spec:{mutations:[{},{}]}}",
            "Name,Mutations,ParamKind,Age|",
            "x;2;<unset>;60m"),
        new Case(
            "bound to what is selected",
            "admissionregistration.k8s.io/v1",
            "mutatingadmissionpolicybindings",
            "{spec:{policyName:'p',paramRef:{namespace:'n',selector:{}}}}",
            "Name,PolicyName,ParamRef,Age|",
            "x;p;n/*;60m"),
        new Case(
            "two that change",
            "admissionregistration.k8s.io/v1",
            "mutatingwebhookconfigurations",
            "{webhooks:[{name:'a'},{name:'b'}]}",
            "Name,Webhooks,Age|",
            "x;2;60m"),
        new Case(
            "none that judge",
            "admissionregistration.k8s.io/v1",
            "validatingwebhookconfigurations",
            "{}",
            "Name,Webhooks,Age|",
            "x;0;60m"),
        new Case(
            "rolling",
            "apps/v1",
            "deployments",
            "{spec:{replicas:4,"
                + selector
                + ","
                + template
                + "},status:{readyReplicas:2,updatedReplicas:3,availableReplicas:1}}",
            "Name,Ready,Up-to-date,Available,Age|Containers,Images,Selector",
            "x;2/4;3;1;60m;c;i:1;app=web"),
        new Case(
            "three",
            "apps/v1",
            "replicasets",
            "{spec:{replicas:3,"
                + selector
                + ","
                + template
                + "},status:{replicas:2,readyReplicas:1}}",
            "Name,Desired,Current,Ready,Age|Containers,Images,Selector",
            "x;3;2;1;60m;c;i:1;app=web"),
        new Case(
            "one of two",
            "apps/v1",
            "statefulsets",
            "{spec:{replicas:2," + template + "},status:{readyReplicas:1}}",
            "Name,Ready,Age|Containers,Images",
            "x;1/2;60m;c;i:1"),
        new Case(
            "on two nodes",
            "apps/v1",
            "daemonsets",
            "{spec:{"
                + selector
                + ","
                + template
                + "},status:{desiredNumberScheduled:2,currentNumberScheduled:2,numberReady:1,"
                + "updatedNumberScheduled:2,numberAvailable:1}}",
            "Name,Desired,Current,Ready,Up-to-date,Available,Node Selector,Age|Containers,Images,"
                + "Selector",
            "x;2;2;1;2;1;a=b;60m;c;i:1;app=web"),
        new Case(
            "owned",
            "apps/v1",
            "controllerrevisions",
            "{metadata:{ownerReferences:[{controller:"
                + "true,apiVersion:'apps/v1',kind:'StatefulSet',name:'s'}]},revision:2}",
            "Name,Controller,Revision,Age|",
            "x;statefulset.apps/s;2;60m"),
        new Case(
            "cordoned",
            "v1",
            "nodes",
            "{metadata:{labels:{'node-role.kubernetes.io/b':'',"
                + "'kubernetes.io/role':'a'}},spec:{unschedulable:true},status:{conditions:[{type:"
                + "'Ready',status:'True'}],addresses:[{type:'InternalIP',address:'192.0.2.7'}],nodeInfo:"
                + "{kubeletVersion:'v1',kernelVersion:'6.1',architecture:'amd64'}}}",
            "Name,Status,Roles,Age,Version|Internal-IP,External-IP,OS-Image,Kernel-Version,"
                + "Container-Runtime",
            "x;Ready,SchedulingDisabled;a,b;60m;v1;192.0.2.7;<none>;<unknown>;6.1 (amd64);"
                + "<unknown>"),
        new Case(
            "never heard of",
            "v1",
            "nodes",
            "{}",
            "Name,Status,Roles,Age,Version|Internal-IP,External-IP,OS-Image,Kernel-Version,"
                + "Container-Runtime",
            "x;Unknown;<none>;60m;;<none>;<none>;<unknown>;<unknown>;<unknown>"),
        new Case(
            "active",
            "v1",
            "namespaces",
            "{status:{phase:'Active'}}",
            "Name,Status,Age|",
            "x;Active;60m"),
        new Case(
            "two keys",
            "v1",
            "configmaps",
            "{data:{a:'1'},binaryData:{b:''}}",
            "Name,Data,Age|",
            "x;2;60m"),
        new Case(
            "opaque",
            "v1",
            "secrets",
            "{type:'Opaque',data:{a:''}}",
            "Name,Type,Data,Age|",
            "x;Opaque;1;60m"),
        new Case("any", "v1", "serviceaccounts", "{}", "Name,Age|", "x;60m"),
        new Case(
            "counted",
            "v1",
            "events",
            "{type:'Normal',reason:'R',message:' m ',count:2,source:"
                + "{component:'k',host:'h'},involvedObject:{kind:'Pod',name:'p',fieldPath:'f'},"
                + "firstTimestamp:'2026-01-02T03:03:05Z',lastTimestamp:'2026-01-02T03:04:00Z'}",
            "Last Seen,Type,Reason,Object,Message|Subobject,Source,First Seen,Count,Name",
            "5s;Normal;R;pod/p;f;k, h;m;60s;2;x"),
        new Case(
            "held",
            "coordination.k8s.io/v1",
            "leases",
            "{spec:{holderIdentity:'me'}}",
            "Name,Holder,Age|",
            "x;me;60m"),
        new Case(
            "subjects",
            "rbac.authorization.k8s.io/v1",
            "rolebindings",
            "{roleRef:{kind:'ClusterRole',name:'r'},subjects:[{kind:'User',name:'u'},{kind:'Group',"
                + "name:'g'},{kind:'ServiceAccount',namespace:'n',name:'s'}]}",
            "Name,Role,Age|Users,Groups,ServiceAccounts",
            "x;ClusterRole/r;60m;u;g;n/s"),
        new Case(
            "a date",
            "rbac.authorization.k8s.io/v1",
            "roles",
            "{}",
            "Name,Created At|",
            "x;" + AGE),
        new Case(
            "least",
            "policy/v1",
            "poddisruptionbudgets",
            "{spec:{minAvailable:1},status:{disruptionsAllowed:2}}",
            "Name,Min Available,Max Unavailable,Allowed Disruptions,Age|",
            "x;1;N/A;2;60m"),
        new Case(
            "done",
            "batch/v1",
            "jobs",
            "{spec:{completions:1,"
                + template
                + "},status:"
                + "{succeeded:1,startTime:'2026-01-02T03:00:00Z',completionTime:'2026-01-02T03:01:30Z',"
                + "conditions:[{type:'Complete',status:'True'}]}}",
            "Name,Status,Completions,Duration,Age|Containers,Images,Selector",
            "x;Complete;1/1;90s;60m;c;i:1;<none>"),
        new Case(
            "never ran",
            "batch/v1",
            "cronjobs",
            "{spec:{schedule:'* * * * *',jobTemplate:" + "{spec:{" + template + "}}}}",
            "Name,Schedule,Timezone,Suspend,Active,Last Schedule,Age|Containers,Images,Selector",
            "x;* * * * *;<none>;False;0;<none>;60m;c;i:1;<none>"),
        new Case(
            "unknown use",
            "autoscaling/v2",
            "horizontalpodautoscalers",
            "{spec:{maxReplicas:3,minReplicas:1,scaleTargetRef:{kind:'Deployment',name:'d'},metrics:"
                + "[{type:'Resource',resource:{name:'cpu',target:{averageUtilization:80}}}]}}",
            "Name,Reference,Targets,MinPods,MaxPods,Replicas,Age|",
            "x;Deployment/d;cpu: <unknown>/80%;1;3;0;60m"),
        new Case(
            "bound",
            "v1",
            "persistentvolumeclaims",
            "{spec:{volumeName:'v',storageClassName:"
                + "'s'},status:{phase:'Bound',capacity:{storage:'1Gi'},accessModes:['ReadWriteOnce']}}",
            "Name,Status,Volume,Capacity,Access Modes,StorageClass,VolumeAttributesClass,Age|"
                + "VolumeMode",
            "x;Bound;v;1Gi;RWO;s;<unset>;60m;<unset>"),
        new Case(
            "claimed",
            "v1",
            "persistentvolumes",
            "{spec:{capacity:{storage:'1Gi'},accessModes:"
                + "['ReadOnlyMany'],claimRef:{namespace:'n',name:'c'}},status:{phase:'Bound'}}",
            "Name,Capacity,Access Modes,Reclaim Policy,Status,Claim,StorageClass,"
                + "VolumeAttributesClass,Reason,Age|VolumeMode",
            "x;1Gi;ROX;;Bound;n/c;;<unset>;;60m;<unset>"));
  }
}
