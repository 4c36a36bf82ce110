package io.fairlead.server.admission.policy;

import io.fairlead.server.admission.webhook.AdmissionAttributes;
import io.fairlead.server.resource.ClusterReader;
import io.fairlead.server.resource.Resource;
import io.fairlead.server.resource.ResourceDescriptor;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/// Finds the parameters that a binding gives its policy.
final class PolicyParams {
  private final BiFunction<String, String, @Nullable Resource> kinds;

  /// @param kinds the resource of an `apiVersion` and a `kind`; null when there is none
  PolicyParams(BiFunction<String, String, @Nullable Resource> kinds) {
    this.kinds = kinds;
  }

  /// A binding whose parameters are not there.
  static final class MissingException extends Exception {
    private static final long serialVersionUID = 1L;

    MissingException(String message) {
      super(message);
    }
  }

  /// With which parameters to run the policy: one null for a run without.
  List<@Nullable ObjectNode> of(
      AdmissionAttributes asked, CompiledPolicy policy, CompiledBinding binding)
      throws MissingException {
    List<@Nullable ObjectNode> found = new ArrayList<>();
    CompiledBinding.Params wanted = binding.params();
    if (!policy.hasParams() || wanted == null) {
      found.add(null);
      return found;
    }
    Resource resource = kinds.apply(policy.paramApiVersion(), policy.paramKind());
    if (resource == null) {
      throw new MissingException(
          "failed to find resource referenced by paramKind: '"
              + policy.paramApiVersion()
              + ", Kind="
              + policy.paramKind()
              + "'");
    }
    ResourceDescriptor descriptor = resource.descriptor();
    String namespace = "";
    if (descriptor.namespaced()) {
      namespace = wanted.namespace().isEmpty() ? asked.namespace() : wanted.namespace();
      if (namespace.isEmpty()) {
        throw new MissingException(
            "cannot use namespaced paramRef in policy binding that matches cluster-scoped"
                + " resources");
      }
    }
    ClusterReader reader = asked.context().reader();
    if (!wanted.name().isEmpty()) {
      ObjectNode one =
          reader.get(descriptor.group(), descriptor.plural(), namespace, wanted.name());
      if (one != null) {
        found.add(one);
      }
    } else {
      for (ObjectNode each : reader.list(descriptor.group(), descriptor.plural(), namespace)) {
        if (wanted.selector().matches(each)) {
          found.add(each);
        }
      }
    }
    if (found.isEmpty() && wanted.denyWhenMissing()) {
      throw new MissingException(
          "no params found for policy binding with `Deny` parameterNotFoundAction");
    }
    return found;
  }
}
