package io.fairlead.server.resources;

import io.fairlead.server.resources.ResourceTablesTest.Case;
import java.util.stream.Stream;

/// The tables of kinds that say how a cluster stores, schedules and answers.
final class ClusterTableRows {
  private ClusterTableRows() {}

  static Stream<Case> all() {
    String template =
        "template:{metadata:{labels:{a:'b'}},spec:{containers:[{name:'c',image:'i:1'}]}}";
    return Stream.of(
        new Case(
            "three",
            "v1",
            "replicationcontrollers",
            "{spec:{replicas:3,selector:{a:'b'},"
                + template
                + "},status:{replicas:2,readyReplicas:1}}",
            "Name,Desired,Current,Ready,Age|Containers,Images,Selector",
            "x;3;2;1;60m;c;i:1;a=b"),
        new Case(
            "used and limited",
            "v1",
            "resourcequotas",
            "{status:{hard:{pods:'8','limits.cpu':'2'},used:{pods:'3','limits.cpu':'1'}}}",
            "Name,Request,Limit,Age|",
            "x;pods: 3/8;limits.cpu: 1/2;60m"),
        new Case(
            "one container",
            "v1",
            "podtemplates",
            "{" + template + "}",
            "Name,Containers,Images,Pod Labels|",
            "x;c;i:1;a=b"),
        new Case(
            "the default",
            "storage.k8s.io/v1",
            "storageclasses",
            "{metadata:{annotations:{'storageclass.kubernetes.io/is-default-class':'true'}},"
                + "provisioner:'p',reclaimPolicy:'Delete',volumeBindingMode:'Immediate'}",
            "Name,Provisioner,ReclaimPolicy,VolumeBindingMode,AllowVolumeExpansion,Age|",
            "x (default);p;Delete;Immediate;false;60m"),
        new Case(
            "a driver",
            "storage.k8s.io/v1",
            "csidrivers",
            "{spec:{attachRequired:true,volumeLifecycleModes:['Persistent']}}",
            "Name,AttachRequired,PodInfoOnMount,StorageCapacity,TokenRequests,RequiresRepublish,"
                + "Modes,Age|",
            "x;true;false;false;<unset>;false;Persistent;60m"),
        new Case(
            "two drivers",
            "storage.k8s.io/v1",
            "csinodes",
            "{spec:{drivers:[{},{}]}}",
            "Name,Drivers,Age|",
            "x;2;60m"),
        new Case(
            "a gibibyte",
            "storage.k8s.io/v1",
            "csistoragecapacities",
            "{storageClassName:'c',capacity:'1Gi'}",
            "Name,StorageClassName,Capacity,Age|",
            "x;c;1Gi;60m"),
        new Case(
            "attached",
            "storage.k8s.io/v1",
            "volumeattachments",
            "{spec:{attacher:'a',nodeName:'n',source:{persistentVolumeName:'v'}},"
                + "status:{attached:true}}",
            "Name,Attacher,PV,Node,Attached,Age|",
            "x;a;v;n;true;60m"),
        new Case(
            "a driver's",
            "storage.k8s.io/v1",
            "volumeattributesclasses",
            "{driverName:'d'}",
            "Name,DriverName,Age|",
            "x;d;60m"),
        new Case(
            "high",
            "scheduling.k8s.io/v1",
            "priorityclasses",
            "{value:7}",
            "Name,Value,Global-Default,Age,PreemptionPolicy|",
            "x;7;false;60m;PreemptLowerPriority"),
        new Case(
            "runc",
            "node.k8s.io/v1",
            "runtimeclasses",
            "{handler:'runc'}",
            "Name,Handler,Age|",
            "x;runc;60m"),
        new Case(
            "approved and issued",
            "certificates.k8s.io/v1",
            "certificatesigningrequests",
            "{spec:{signerName:'a/b',username:'bob',expirationSeconds:3600},"
                + "status:{conditions:[{type:'Approved'}],certificate:'eA=='}}",
            "Name,Age,SignerName,Requestor,RequestedDuration,Condition|",
            "x;60m;a/b;bob;60m;Approved,Issued"),
        new Case(
            "by user",
            "flowcontrol.apiserver.k8s.io/v1",
            "flowschemas",
            "{spec:{matchingPrecedence:5,distinguisherMethod:{type:'ByUser'},"
                + "priorityLevelConfiguration:{name:'l'}}}",
            "Name,PriorityLevel,MatchingPrecedence,DistinguisherMethod,Age,MissingPL|",
            "x;l;5;ByUser;60m;?"),
        new Case(
            "rejects",
            "flowcontrol.apiserver.k8s.io/v1",
            "prioritylevelconfigurations",
            "{spec:{type:'Limited',limited:{nominalConcurrencyShares:30}}}",
            "Name,Type,NominalConcurrencyShares,Queues,HandSize,QueueLengthLimit,Age|",
            "x;Limited;30;<none>;<none>;<none>;60m"),
        new Case(
            "reserved",
            "resource.k8s.io/v1",
            "resourceclaims",
            "{status:{allocation:{},reservedFor:[{}]}}",
            "Name,State,Age|",
            "x;allocated,reserved;60m"),
        new Case(
            "of a node",
            "resource.k8s.io/v1",
            "resourceslices",
            "{spec:{driver:'d',nodeName:'n',pool:{name:'p'}}}",
            "Name,Node,Driver,Pool,Age|",
            "x;n;d;p;60m"));
  }
}
