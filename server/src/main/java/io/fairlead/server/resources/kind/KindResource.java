package io.fairlead.server.resources.kind;

import io.fairlead.api.status.FieldError;
import io.fairlead.server.resource.RequestContext;
import io.fairlead.server.resource.Resource;
import io.fairlead.server.resource.ResourceDescriptor;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/// The common part of all kinds: a descriptor, a rule for names, and what happens to the status of
/// a new object.
public abstract class KindResource extends Resource {
  private final ResourceDescriptor descriptor;
  private final NameValidator nameRule;

  protected KindResource(ResourceDescriptor descriptor, NameValidator nameRule) {
    this.descriptor = descriptor;
    this.nameRule = nameRule;
  }

  @Override
  public final ResourceDescriptor descriptor() {
    return descriptor;
  }

  @Override
  public final List<String> nameProblems(String name, boolean prefix, int emulatedMinor) {
    return nameRule.problems(name, prefix, emulatedMinor);
  }

  /// A new object starts with the status of its kind, whatever the client sent. Subclasses that
  /// override this call it first.
  @Override
  public void prepare(ObjectNode object, @Nullable ObjectNode old, RequestContext context) {
    if (old == null && splitsStatus()) {
      object.remove("status");
      initialStatus(object);
    }
  }

  /// Gives a new object its first status; `object` has none. Nothing unless overridden.
  protected void initialStatus(ObjectNode object) {}

  /// What is wrong with the status, after a write through `…/status`.
  protected List<FieldError> validateStatus(
      ObjectNode object, ObjectNode old, RequestContext context) {
    return List.of();
  }
}
