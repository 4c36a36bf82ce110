package io.fairlead.server.resources.rbac;

import io.fairlead.api.json.Json;
import io.fairlead.api.names.NameValidation;
import io.fairlead.api.schema.GoForm;
import io.fairlead.api.status.FieldError;
import io.fairlead.server.auth.rbac.EscalationCheck;
import io.fairlead.server.resource.Column;
import io.fairlead.server.resource.RequestContext;
import io.fairlead.server.resource.ResourceDescriptor;
import io.fairlead.server.resources.kind.Defaults;
import io.fairlead.server.resources.kind.NameValidator;
import io.fairlead.server.resources.kind.Problems;
import io.fairlead.server.resources.kind.StoredResource;
import io.fairlead.server.resources.table.Cells;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// What RoleBinding and ClusterRoleBinding have in common: subjects and a role that stays.
abstract class AbstractRoleBindingResource extends StoredResource {
  private static final String GROUP = "rbac.authorization.k8s.io";
  private static final List<String> SUBJECT_KINDS = List.of("ServiceAccount", "User", "Group");
  private static final List<Column> COLUMNS =
      List.of(
          Cells.NAME,
          Column.text("Role", "The role that is given."),
          Cells.AGE,
          Column.text("Users", "The users who get it.").wide(),
          Column.text("Groups", "The groups that get it.").wide(),
          Column.text("ServiceAccounts", "The service accounts that get it.").wide());

  private final List<String> roleKinds;

  AbstractRoleBindingResource(ResourceDescriptor descriptor, List<String> roleKinds) {
    super(descriptor, NameValidator.PATH_SEGMENT, Trait.CREATES_ON_UPDATE);
    this.roleKinds = roleKinds;
  }

  @Override
  public void applyDefaults(ObjectNode object) {
    Defaults.text(Json.child(object, "roleRef"), "apiGroup", GROUP);
    for (JsonNode subject : object.path("subjects")) {
      if (subject instanceof ObjectNode one
          && List.of("User", "Group").contains(one.path("kind").asString(""))) {
        Defaults.text(one, "apiGroup", GROUP);
      }
    }
  }

  @Override
  public void admit(ObjectNode object, @Nullable ObjectNode old, RequestContext context) {
    boolean otherRole = old != null && !object.path("roleRef").equals(old.path("roleRef"));
    // Another role is refused by validation, for every user.
    if (!otherRole) {
      EscalationCheck.checkBinding(descriptor().plural(), object, old, context);
    }
  }

  @Override
  public List<FieldError> validate(
      ObjectNode object, @Nullable ObjectNode old, RequestContext context) {
    Problems problems = new Problems();
    JsonNode role = object.path("roleRef");
    problems.oneOf("roleRef.apiGroup", role.path("apiGroup"), List.of(GROUP));
    problems.oneOf("roleRef.kind", role.path("kind"), roleKinds);
    String name = role.path("name").asString("");
    if (name.isEmpty()) {
      problems.required("roleRef.name");
    } else {
      problems.each("roleRef.name", name, NameValidation.pathSegment(name));
    }
    int index = 0;
    for (JsonNode subject : object.path("subjects")) {
      checkSubject(subject, "subjects[" + index + "]", problems);
      index++;
    }
    if (old != null && !role.equals(old.path("roleRef"))) {
      problems.invalid(
          "roleRef", GoForm.internal(role, "io.k8s.api.rbac.v1.RoleRef"), "cannot change roleRef");
    }
    return problems.list();
  }

  @Override
  public List<Column> columns() {
    return COLUMNS;
  }

  @Override
  public List<JsonNode> cells(ObjectNode object, Instant now) {
    JsonNode role = object.path("roleRef");
    return List.of(
        Cells.name(object),
        Cells.text(role.path("kind").asString("") + "/" + role.path("name").asString("")),
        Cells.age(object, now),
        Cells.text(subjects(object, "User")),
        Cells.text(subjects(object, "Group")),
        Cells.text(subjects(object, "ServiceAccount")));
  }

  private void checkSubject(JsonNode subject, String path, Problems problems) {
    String name = subject.path("name").asString("");
    if (name.isEmpty()) {
      problems.required(path + ".name");
    }
    switch (subject.path("kind").asString("")) {
      case "ServiceAccount" -> {
        if (!name.isEmpty()) {
          problems.each(path + ".name", name, NameValidation.dns1123Subdomain(name));
        }
        if (!subject.path("apiGroup").asString("").isEmpty()) {
          problems.oneOf(path + ".apiGroup", subject.path("apiGroup"), List.of(""));
        }
        if (!descriptor().namespaced() && subject.path("namespace").asString("").isEmpty()) {
          problems.required(path + ".namespace");
        }
      }
      case "User", "Group" ->
          problems.oneOf(path + ".apiGroup", subject.path("apiGroup"), List.of(GROUP));
      default -> problems.oneOf(path + ".kind", subject.path("kind"), SUBJECT_KINDS);
    }
  }

  private static String subjects(ObjectNode binding, String kind) {
    List<String> names = new ArrayList<>();
    for (JsonNode subject : binding.path("subjects")) {
      if (subject.path("kind").asString("").equals(kind)) {
        String namespace = subject.path("namespace").asString("");
        String name = subject.path("name").asString("");
        names.add(kind.equals("ServiceAccount") ? namespace + "/" + name : name);
      }
    }
    return String.join(", ", names);
  }
}
