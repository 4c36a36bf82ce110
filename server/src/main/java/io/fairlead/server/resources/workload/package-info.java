/// What makes pods, and how many of them must stay: Deployment, ReplicaSet, StatefulSet, DaemonSet,
/// ControllerRevision, PodDisruptionBudget.
@NullMarked
package io.fairlead.server.resources.workload;

import org.jspecify.annotations.NullMarked;
