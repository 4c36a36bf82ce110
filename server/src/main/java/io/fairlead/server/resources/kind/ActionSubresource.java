package io.fairlead.server.resources.kind;

import io.fairlead.api.json.Json;
import io.fairlead.server.resource.Subresource;
import java.util.List;
import tools.jackson.databind.node.ObjectNode;

/// The names of an action: what it is called and what kind of body it takes. Subclasses do it.
public abstract class ActionSubresource implements Subresource.Action {
  private static final int CREATED = 201;

  private final String name;
  private final String group;
  private final String kind;

  protected ActionSubresource(String name, String group, String kind) {
    this.name = name;
    this.group = group;
    this.kind = kind;
  }

  @Override
  public final String name() {
    return name;
  }

  @Override
  public final String group() {
    return group;
  }

  @Override
  public final String version() {
    return "v1";
  }

  @Override
  public final String kind() {
    return kind;
  }

  @Override
  public final String schemaName() {
    return ResourceDescriptorBuilder.schemaName(group, "v1", kind);
  }

  @Override
  public final List<String> verbs() {
    return List.of("create");
  }

  /// The answer of an action that is done and has nothing to show.
  protected static Subresource.Answer done() {
    ObjectNode status = Json.object();
    status.put("kind", "Status").put("apiVersion", "v1");
    status.putObject("metadata");
    status.put("status", "Success").put("code", CREATED);
    return new Subresource.Answer(CREATED, status);
  }
}
