package io.fairlead.insight.evidence;

import io.fairlead.api.json.Json;
import io.fairlead.client.ObjectKey;
import io.fairlead.client.RawObject;
import io.fairlead.client.objects.FieldMask;
import io.fairlead.client.objects.V1Service;
import io.fairlead.controller.serving.Service;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.Collectors;
import tools.jackson.databind.node.ObjectNode;

/// A Service as the API has it, in the forms that the judging functions need.
///
/// @param object the whole object; not to be changed
/// @param spec all typed fields
/// @param selecting what its endpoints depend on
public record ServiceFacts(ObjectNode object, V1Service spec, Service selecting) {
  public static ServiceFacts of(ObjectNode object) {
    return new ServiceFacts(
        object,
        RawObject.of(object).read(in -> V1Service.read(in, FieldMask.ALL)),
        Service.of(object));
  }

  public ObjectKey key() {
    return selecting.key();
  }

  /// `app=web,tier=front`, sorted.
  public String selector() {
    return new TreeMap<>(selecting.selector())
        .entrySet().stream()
            .map(one -> one.getKey() + "=" + one.getValue())
            .collect(Collectors.joining(","));
  }

  public boolean externalName() {
    return selecting.externalName();
  }

  /// Without a cluster IP, so that a name gives the pods' addresses.
  public boolean headless() {
    return !externalName() && selecting.clusterIp().equals("None");
  }

  /// Its cluster IPs; empty for headless ones and aliases.
  public List<String> clusterIps() {
    if (headless() || externalName()) {
      return List.of();
    }
    List<String> all = spec.spec().clusterIps();
    String first = selecting.clusterIp();
    return all.isEmpty() && !first.isEmpty() ? List.of(first) : all;
  }

  /// Its name in DNS, with the last dot left out.
  public String fqdn(String domain) {
    return key().name() + "." + key().namespace() + ".svc." + domain;
  }

  public String resourceVersion() {
    return Json.textOr(object, "", "metadata", "resourceVersion");
  }
}
