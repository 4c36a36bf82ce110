package io.fairlead.server.resources.kind;

import io.fairlead.api.status.FieldError;
import java.util.List;
import tools.jackson.databind.node.ObjectNode;

/// Numbers in a status that are shown also when they are 0.
public record StatusCounters(List<String> names) {
  public StatusCounters {
    names = List.copyOf(names);
  }

  public static StatusCounters of(String... names) {
    return new StatusCounters(List.of(names));
  }

  /// Gives an object its first status.
  public void begin(ObjectNode object) {
    fill(object.putObject("status"));
  }

  /// Adds what an object's status leaves out; an object without a status stays so.
  public void applyDefaults(ObjectNode object) {
    if (object.get("status") instanceof ObjectNode status) {
      fill(status);
    }
  }

  private void fill(ObjectNode status) {
    names.forEach(name -> Defaults.missingNumber(status, name, 0));
  }

  /// What is wrong with them in a status that a client writes.
  public List<FieldError> validate(ObjectNode object) {
    Problems problems = new Problems();
    names.forEach(name -> problems.notNegative("status." + name, object.path("status").path(name)));
    return problems.list();
  }
}
