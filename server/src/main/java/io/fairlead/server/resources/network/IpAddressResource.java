package io.fairlead.server.resources.network;

import io.fairlead.api.names.NameValidation;
import io.fairlead.api.net.AddressRules;
import io.fairlead.api.net.IpAddress;
import io.fairlead.api.status.FieldError;
import io.fairlead.server.resource.Column;
import io.fairlead.server.resource.RequestContext;
import io.fairlead.server.resources.kind.Problems;
import io.fairlead.server.resources.kind.ResourceDescriptorBuilder;
import io.fairlead.server.resources.kind.StoredResource;
import io.fairlead.server.resources.table.Cells;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// An address that is taken; its existence is the claim.
public final class IpAddressResource extends StoredResource {
  private static final List<Column> COLUMNS =
      List.of(Cells.NAME, Column.text("ParentRef", "What the address belongs to."));

  public IpAddressResource() {
    super(
        ResourceDescriptorBuilder.cluster("networking.k8s.io", "ipaddresses", "IPAddress")
            .shortNames("ip")
            .build(),
        (name, _, _) -> canonicalProblems(name));
  }

  @Override
  public List<FieldError> validate(
      ObjectNode object, @Nullable ObjectNode old, RequestContext context) {
    Problems problems = new Problems();
    JsonNode parent = object.at("/spec/parentRef");
    if (!parent.isObject()) {
      problems.required("spec.parentRef");
    } else {
      String group = parent.path("group").asString("");
      if (!group.isEmpty()) {
        problems.each("spec.parentRef.group", group, NameValidation.dns1123Subdomain(group));
      }
      for (String field : List.of("resource", "name")) {
        String text = parent.path(field).asString("");
        if (text.isEmpty()) {
          problems.required("spec.parentRef." + field);
        } else {
          problems.each("spec.parentRef." + field, text, NameValidation.pathSegment(text));
        }
      }
      String namespace = parent.path("namespace").asString("");
      problems.each("spec.parentRef.namespace", namespace, NameValidation.pathSegment(namespace));
    }
    if (old != null) {
      problems.immutable("spec.parentRef", parent, old.at("/spec/parentRef"));
    }
    return problems.list();
  }

  @Override
  public List<Column> columns() {
    return COLUMNS;
  }

  @Override
  public List<JsonNode> cells(ObjectNode object, Instant now) {
    JsonNode parent = object.at("/spec/parentRef");
    List<String> parts = new ArrayList<>();
    String group = parent.path("group").asString("");
    parts.add(parent.path("resource").asString("") + (group.isEmpty() ? "" : "." + group));
    String namespace = parent.path("namespace").asString("");
    if (!namespace.isEmpty()) {
      parts.add(namespace);
    }
    parts.add(parent.path("name").asString(""));
    return List.of(Cells.name(object), Cells.text(String.join("/", parts)));
  }

  /// Two spellings of one address must not be two objects, so only one is allowed.
  private static List<String> canonicalProblems(String name) {
    List<String> problems = AddressRules.addressProblems(name);
    IpAddress address = IpAddress.parseOrNull(name);
    return problems.isEmpty() && address != null && !address.toString().equals(name)
        ? List.of("must be in canonical form (\"" + address + "\")")
        : problems;
  }
}
