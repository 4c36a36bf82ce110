/// What makes pods: Deployment, ReplicaSet, StatefulSet, DaemonSet.
@NullMarked
package io.fairlead.server.resources.workload;

import org.jspecify.annotations.NullMarked;
