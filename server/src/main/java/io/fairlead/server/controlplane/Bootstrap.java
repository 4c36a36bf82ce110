package io.fairlead.server.controlplane;

import io.fairlead.api.json.Json;
import io.fairlead.server.auth.rbac.RbacBootstrap;
import io.fairlead.server.auth.rbac.RbacReconciliation;
import io.fairlead.server.auth.rbac.RbacSource;
import io.fairlead.server.resource.ClusterReader;
import io.fairlead.server.resource.Resource;
import io.fairlead.server.resources.cluster.PriorityClassResource;
import io.fairlead.server.rest.InternalWriter;
import io.fairlead.server.rest.ResourceRegistry;
import io.fairlead.work.Tasks;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/// Makes the objects every cluster has, and makes them again when they are missing.
public final class Bootstrap {
  private static final List<String> NAMESPACES =
      List.of("kube-system", "kube-public", "kube-node-lease", "default");

  private static final String CLIENT_AUTHORITY = "extension-apiserver-authentication";

  private final ResourceRegistry registry;
  private final InternalWriter writer;
  private final ClusterReader reader;

  public Bootstrap(ResourceRegistry registry, InternalWriter writer, ClusterReader reader) {
    this.registry = registry;
    this.writer = writer;
    this.reader = reader;
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

  /// Makes the priority classes that every cluster has.
  public void priorityClasses() {
    PriorityClassResource.SYSTEM.forEach(
        (name, value) -> {
          ObjectNode made = Json.object();
          made.put("kind", "PriorityClass").put("apiVersion", "scheduling.k8s.io/v1");
          made.putObject("metadata").put("name", name);
          made.put("value", value)
              .put(
                  "description",
                  "Used for system critical pods that must "
                      + (name.equals("system-node-critical")
                          ? "not be moved from their current node."
                          : "run in the cluster, but can be moved to another node if necessary."));
          ensure("scheduling.k8s.io", "priorityclasses", "", made);
        });
  }

  /// Publishes by which CA this server knows clients, for programs that extend the API and must
  /// know them too.
  ///
  /// @param published the members of the ConfigMap
  public void clientAuthority(Map<String, String> published) {
    Resource resource = registry.find("", "configmaps");
    if (resource == null) {
      return;
    }
    ObjectNode map = Json.object();
    map.put("kind", "ConfigMap").put("apiVersion", "v1");
    map.putObject("metadata").put("name", CLIENT_AUTHORITY).put("namespace", "kube-system");
    ObjectNode data = map.putObject("data");
    published.forEach(data::put);
    if (!writer.createIfMissing(resource, "kube-system", map)) {
      writer.update(
          resource,
          "kube-system",
          CLIENT_AUTHORITY,
          current -> {
            ObjectNode known = Json.child(current, "data");
            published.forEach(known::put);
            return current;
          });
    }
  }

  /// Makes the roles and bindings of RBAC where they are missing, and gives those of an older
  /// version what they lack. What people added stays, and so does all of an object that says it
  /// wants no updates.
  ///
  /// Many at a time: a write waits for the disk, and those that wait together are written together.
  public void permissions() {
    together(
        RbacBootstrap.objects().stream()
            .<Runnable>map(wanted -> () -> permission(wanted))
            .toList());
  }

  /// Makes objects of that kind where they are missing, many at a time.
  public void all(String group, String plural, List<ObjectNode> objects) {
    together(
        objects.stream().<Runnable>map(wanted -> () -> ensure(group, plural, "", wanted)).toList());
  }

  /// Does all of these writes at the same time, and waits for them.
  static void together(List<Runnable> writes) {
    try (ExecutorService writers = Tasks.perTask("bootstrap")) {
      List<Future<?>> begun = new ArrayList<>();
      for (Runnable write : writes) {
        begun.add(writers.submit(write));
      }
      for (Future<?> write : begun) {
        await(write);
      }
    }
  }

  private static void await(Future<?> write) {
    try {
      write.get();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while objects were made", e);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof RuntimeException cause) {
        throw cause;
      }
      throw new IllegalStateException("the objects could not be made", e.getCause());
    }
  }

  private void permission(ObjectNode wanted) {
    String plural = Json.textOr(wanted, "", "kind").toLowerCase(Locale.ROOT) + "s";
    String namespace = Json.textOr(wanted, "", "metadata", "namespace");
    String name = Json.textOr(wanted, "", "metadata", "name");
    @Nullable Resource resource = registry.find(RbacSource.GROUP, plural);
    if (resource == null) {
      return;
    }
    @Nullable ObjectNode present = reader.get(RbacSource.GROUP, plural, namespace, name);
    if (present == null) {
      ensure(RbacSource.GROUP, plural, namespace, wanted);
    } else if (RbacReconciliation.complete(present, wanted)) {
      writer.update(
          resource,
          namespace,
          name,
          current -> {
            boolean unused = RbacReconciliation.complete(current, wanted);
            return current;
          });
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

  public ResourceRegistry registry() {
    return registry;
  }

  public InternalWriter writer() {
    return writer;
  }
}
