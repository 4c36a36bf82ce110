package io.fairlead.controller.job;

import io.fairlead.api.json.Json;
import io.fairlead.controller.workload.PodControl;
import io.fairlead.controller.workload.WorkloadPod;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// The pods of a Job. Each has a finalizer, so that none goes uncounted.
final class JobPod {
  static final String FINALIZER = "batch.kubernetes.io/job-tracking";
  private static final String INDEX_VARIABLE = "JOB_COMPLETION_INDEX";

  private JobPod() {}

  /// @param index of the work it does, or -1 where the pods are alike
  /// @param more annotations of this pod
  static ObjectNode of(Job job, int index, Map<String, String> more) {
    ObjectNode template =
        Json.child(Json.child(job.object().body().deepCopy(), "spec"), "template");
    ObjectNode pod = PodControl.fromTemplate(template, Job.TYPE, job.metadata(), "");
    ObjectNode metadata = Json.child(pod, "metadata");
    metadata.withArray("finalizers").add(FINALIZER);
    ObjectNode labels = Json.child(metadata, "labels");
    for (String prefix : List.of("", "batch.kubernetes.io/")) {
      labels.put(prefix + "controller-uid", job.metadata().uid());
      labels.put(prefix + "job-name", job.name());
    }
    if (!more.isEmpty()) {
      more.forEach(Json.child(metadata, "annotations")::put);
    }
    if (index >= 0) {
      number(job, index, pod, metadata, labels);
    }
    return pod;
  }

  private static void number(
      Job job, int index, ObjectNode pod, ObjectNode metadata, ObjectNode labels) {
    metadata.put("generateName", job.name() + "-" + index + "-");
    labels.put(WorkloadPod.COMPLETION_INDEX, Integer.toString(index));
    Json.child(metadata, "annotations").put(WorkloadPod.COMPLETION_INDEX, Integer.toString(index));
    ObjectNode spec = Json.child(pod, "spec");
    spec.put("hostname", job.name() + "-" + index);
    for (String list : List.of("initContainers", "containers")) {
      for (JsonNode container : spec.path(list)) {
        if (container instanceof ObjectNode one && !hasVariable(one)) {
          ArrayNode variables =
              one.get("env") instanceof ArrayNode given ? given : one.putArray("env");
          variables
              .addObject()
              .put("name", INDEX_VARIABLE)
              .putObject("valueFrom")
              .putObject("fieldRef")
              .put("apiVersion", "v1")
              .put("fieldPath", "metadata.annotations['" + WorkloadPod.COMPLETION_INDEX + "']");
        }
      }
    }
  }

  private static boolean hasVariable(ObjectNode container) {
    for (JsonNode variable : container.path("env")) {
      if (Json.textOr(variable, "", "name").equals(INDEX_VARIABLE)) {
        return true;
      }
    }
    return false;
  }

  static boolean isTracked(WorkloadPod pod) {
    return pod.metadata().finalizers().contains(FINALIZER);
  }
}
