package io.fairlead.server.openapi;

import io.fairlead.api.schema.Schemas;
import io.fairlead.server.openapi.Operation.GroupVersionKind;
import io.fairlead.server.resource.Resource;
import io.fairlead.server.resource.ResourceDescriptor;
import io.fairlead.server.resource.Subresource;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// Lists what can be done with resources, from what they say of themselves.
final class Operations {
  private static final String META = "io.k8s.apimachinery.pkg.apis.meta.v1.";
  static final String STATUS = META + "Status";
  static final String DELETE_OPTIONS = META + "DeleteOptions";

  private final Schemas schemas;
  private final CustomSchemas custom;

  Operations(Schemas schemas, CustomSchemas custom) {
    this.schemas = schemas;
    this.custom = custom;
  }

  List<Operation> of(Resource resource) {
    ResourceDescriptor descriptor = resource.descriptor();
    List<Operation> operations = new ArrayList<>();
    String root = root(descriptor);
    String scoped = descriptor.namespaced() ? root + "/namespaces/{namespace}" : root;
    String collection = scoped + "/" + descriptor.plural();
    for (String verb : descriptor.verbs()) {
      Operation operation = main(verb, descriptor, collection);
      if (operation != null) {
        operations.add(operation);
      }
      if (verb.equals("list") && descriptor.namespaced()) {
        operations.add(everywhere(descriptor, root + "/" + descriptor.plural()));
      }
    }
    for (Subresource subresource : resource.subresources()) {
      for (String verb : subresource.verbs()) {
        operations.add(
            part(verb, descriptor, subresource, collection + "/{name}/" + subresource.name()));
      }
    }
    return operations;
  }

  /// `/api/v1`, `/apis/apps/v1`.
  static String root(ResourceDescriptor descriptor) {
    return descriptor.group().isEmpty()
        ? "/api/" + descriptor.version()
        : "/apis/" + descriptor.apiVersion();
  }

  private @Nullable Operation main(String verb, ResourceDescriptor resource, String collection) {
    String item = collection + "/{name}";
    String struct = known(resource.schemaName());
    return switch (verb) {
      case "list" -> list(resource, collection, scopeWord(resource));
      case "create" ->
          operation(
              resource, collection, "post", "post", "create", struct, struct, Parameter.WRITE);
      case "deletecollection" ->
          operation(
              resource,
              collection,
              "delete",
              "deletecollection",
              "deleteCollection",
              DELETE_OPTIONS,
              STATUS,
              Parameter.LIST);
      case "get" ->
          operation(resource, item, "get", "get", "read", null, struct, List.of(Parameter.PRETTY));
      case "update" ->
          operation(resource, item, "put", "put", "replace", struct, struct, Parameter.WRITE);
      case "patch" ->
          operation(
              resource, item, "patch", "patch", "patch", META + "Patch", struct, Parameter.PATCH);
      case "delete" ->
          operation(
              resource,
              item,
              "delete",
              "delete",
              "delete",
              DELETE_OPTIONS,
              STATUS,
              Parameter.DELETE);
      default -> null; // watch is a list that stays
    };
  }

  private Operation everywhere(ResourceDescriptor resource, String path) {
    Operation list = list(resource, path, "");
    return new Operation(
        path,
        "get",
        "list",
        list.id() + "ForAllNamespaces",
        list.description() + " in all namespaces",
        list.kind(),
        null,
        list.answer(),
        Parameter.LIST);
  }

  private Operation list(ResourceDescriptor resource, String path, String scope) {
    return new Operation(
        path,
        "get",
        "list",
        "list" + camel(resource) + scope + resource.kind(),
        "list or watch objects of kind " + resource.kind(),
        kind(resource),
        null,
        known(resource.schemaName() + "List"),
        Parameter.LIST);
  }

  private Operation operation(
      ResourceDescriptor resource,
      String path,
      String method,
      String action,
      String verb,
      @Nullable String body,
      @Nullable String answer,
      List<Parameter> parameters) {
    return new Operation(
        path,
        method,
        action,
        verb + camel(resource) + scopeWord(resource) + resource.kind(),
        action + " " + resource.kind(),
        kind(resource),
        body,
        answer,
        parameters);
  }

  private Operation part(
      String verb, ResourceDescriptor resource, Subresource subresource, String path) {
    boolean connects = subresource instanceof Subresource.Connect;
    String struct = connects ? null : known(subresource.schemaName());
    String method = method(verb);
    String suffix = capitalised(subresource.name());
    return new Operation(
        path,
        method,
        connects ? "connect" : method,
        (connects ? "connect" + capitalised(method) : idVerb(method))
            + camel(resource)
            + scopeWord(resource)
            + resource.kind()
            + suffix,
        (connects ? "connect to " : method + " ") + subresource.name() + " of " + resource.kind(),
        new GroupVersionKind(subresource.group(), subresource.version(), subresource.kind()),
        connects || method.equals("get") ? null : method.equals("patch") ? META + "Patch" : struct,
        struct,
        connects
            ? List.of()
            : switch (method) {
              case "patch" -> Parameter.PATCH;
              case "get" -> List.of(Parameter.PRETTY);
              default -> Parameter.WRITE;
            });
  }

  private static String method(String verb) {
    return switch (verb) {
      case "create" -> "post";
      case "update" -> "put";
      default -> verb;
    };
  }

  private static String idVerb(String method) {
    return switch (method) {
      case "get" -> "read";
      case "put" -> "replace";
      case "post" -> "create";
      default -> method;
    };
  }

  private @Nullable String known(String struct) {
    return schemas.find(struct) == null && !custom.has(struct) ? null : struct;
  }

  static GroupVersionKind kind(ResourceDescriptor resource) {
    return new GroupVersionKind(resource.group(), resource.version(), resource.kind());
  }

  private static String scopeWord(ResourceDescriptor resource) {
    return resource.namespaced() ? "Namespaced" : "";
  }

  /// `CoreV1`, `RbacAuthorizationV1`.
  private static String camel(ResourceDescriptor resource) {
    String group = resource.group().isEmpty() ? "core" : resource.group().replace(".k8s.io", "");
    StringBuilder name = new StringBuilder();
    for (String part : group.split("\\.", -1)) {
      name.append(capitalised(part));
    }
    return name.append(capitalised(resource.version())).toString();
  }

  private static String capitalised(String word) {
    return word.substring(0, 1).toUpperCase(Locale.ROOT) + word.substring(1);
  }
}
