package io.fairlead.policy.runtime;

import io.fairlead.api.json.Json;
import io.fairlead.api.net.Cidr;
import io.fairlead.api.net.IpAddress;
import io.fairlead.policy.core.Direction;
import io.fairlead.policy.core.NetworkPolicy;
import io.fairlead.policy.core.Oracle;
import io.fairlead.policy.core.PolicyPlan;
import io.fairlead.policy.core.PolicyPod;
import io.fairlead.policy.core.PolicySet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// What the node enforces and why, and what it dropped, as JSON for people who look for a fault.
final class PolicyDebugPages {
  private final String node;
  private final PolicyInformers informers;
  private final Supplier<Oracle> oracles;
  private final Supplier<List<Cidr>> gate;
  private final Supplier<List<DropLog.Drop>> drops;

  /// @param gate the ranges in which an address must be a known pod; none without a gate
  PolicyDebugPages(
      String node,
      PolicyInformers informers,
      Supplier<Oracle> oracles,
      Supplier<List<Cidr>> gate,
      Supplier<List<DropLog.Drop>> drops) {
    this.node = node;
    this.informers = informers;
    this.oracles = oracles;
    this.gate = gate;
    this.drops = drops;
  }

  /// Which policies isolate the pods of this node, entries that match nothing, and the elements
  /// that the kernel has.
  ///
  /// @param installed read from the kernel
  ObjectNode policy(Map<IpAddress.Family, PolicyPlan> installed) {
    ObjectNode page = Json.object().put("node", node);
    ArrayNode ranges = page.putArray("gate");
    gate.get().forEach(range -> ranges.add(range.toString()));
    page.put("follows", informers.knowsAllPods() ? "all pods" : "pods of this node");
    ObjectNode versions = page.putObject("versions");
    informers.versions().forEach(versions::put);
    Oracle oracle = oracles.get();
    ArrayNode pods = page.putArray("pods");
    for (PolicyPod pod : informers.pods()) {
      if (pod.node().equals(node) && !pod.hostNetwork() && !pod.finished()) {
        ObjectNode each = pods.addObject().put("pod", pod.key().toString());
        pod.addresses().forEach(address -> each.withArray("addresses").add(address.toString()));
        for (Direction direction : Direction.values()) {
          ArrayNode by = each.putArray(direction.toString());
          oracle.isolating(pod, direction).forEach(policy -> by.add(policy.toString()));
        }
      }
    }
    ArrayNode invalid = page.putArray("invalid");
    for (NetworkPolicy policy : informers.policies.list()) {
      for (NetworkPolicy.InvalidEntry entry : policy.invalid()) {
        invalid
            .addObject()
            .put("policy", policy.key().toString())
            .put("path", entry.path())
            .put("why", entry.why());
      }
    }
    ObjectNode plans = page.putObject("plan");
    installed.forEach((family, plan) -> plans.set(family.toString(), plan(plan)));
    return page;
  }

  private static ObjectNode plan(PolicyPlan plan) {
    ObjectNode sets = Json.object();
    for (PolicySet set : PolicySet.values()) {
      Map<String, String> elements = new TreeMap<>();
      plan.of(set)
          .forEach(
              (key, value) ->
                  elements.put(key.toString(), (value.number() + " " + value.comment()).strip()));
      ObjectNode listed = sets.putObject(set.setName());
      elements.forEach(listed::put);
    }
    return sets;
  }

  /// The newest drops, the last one last.
  ArrayNode drops() {
    ArrayNode page = Json.object().putArray("drops");
    drops.get().forEach(drop -> page.add(DropLogWriter.json(drop, drop.count())));
    return page;
  }
}
