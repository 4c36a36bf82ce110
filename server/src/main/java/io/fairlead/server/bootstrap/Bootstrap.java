package io.fairlead.server.bootstrap;

import io.fairlead.api.json.Json;
import io.fairlead.server.auth.rbac.RbacBootstrap;
import io.fairlead.server.auth.rbac.RbacSource;
import io.fairlead.server.resource.Resource;
import io.fairlead.server.rest.InternalWriter;
import io.fairlead.server.rest.Registry;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/// Makes the objects every cluster has, and makes them anew when they are missing.
public final class Bootstrap {
  private static final List<String> NAMESPACES =
      List.of("kube-system", "kube-public", "kube-node-lease", "default");

  private final Registry registry;
  private final InternalWriter writer;

  public Bootstrap(Registry registry, InternalWriter writer) {
    this.registry = registry;
    this.writer = writer;
  }

  /// Makes the system's namespaces where they are missing. Cheap when nothing is.
  public void namespaces() {
    for (String name : NAMESPACES) {
      ObjectNode namespace = Json.object();
      namespace.put("kind", "Namespace").put("apiVersion", "v1");
      namespace.putObject("metadata").put("name", name);
      ensure("", "namespaces", "", namespace);
    }
  }

  /// Makes the roles and bindings of RBAC where they are missing.
  public void permissions() {
    for (ObjectNode object : RbacBootstrap.objects()) {
      String plural = Json.textOr(object, "", "kind").toLowerCase(java.util.Locale.ROOT) + "s";
      String namespace = Json.textOr(object, "", "metadata", "namespace");
      ensure(RbacSource.GROUP, plural, namespace, object);
    }
  }

  /// Makes one object unless one of that name exists. Does nothing when the server does not serve
  /// its kind.
  public void ensure(String group, String plural, String namespace, ObjectNode object) {
    @Nullable Resource resource = registry.find(group, plural);
    if (resource != null) {
      boolean unused = writer.createIfMissing(resource, namespace, object);
    }
  }

  public Registry registry() {
    return registry;
  }

  public InternalWriter writer() {
    return writer;
  }
}
