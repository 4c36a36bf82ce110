package io.fairlead.server.resources.network;

import io.fairlead.api.net.AddressRules;
import io.fairlead.api.net.Cidr;
import io.fairlead.api.status.FieldError;
import io.fairlead.server.resource.Column;
import io.fairlead.server.resource.RequestContext;
import io.fairlead.server.resources.kind.NameValidator;
import io.fairlead.server.resources.kind.Problems;
import io.fairlead.server.resources.kind.ResourceDescriptorBuilder;
import io.fairlead.server.resources.kind.StoredResource;
import io.fairlead.server.resources.table.Cells;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// A range that Service addresses are taken from.
public final class ServiceCidrResource extends StoredResource {
  private static final String PATH = "spec.cidrs";
  private static final int MAX_CIDRS = 2;
  private static final List<Column> COLUMNS =
      List.of(Cells.NAME, Column.text("CIDRs", "The ranges, one of each family."), Cells.AGE);

  public ServiceCidrResource() {
    super(
        ResourceDescriptorBuilder.cluster("networking.k8s.io", "servicecidrs", "ServiceCIDR")
            .build(),
        NameValidator.SUBDOMAIN,
        Trait.STATUS,
        Trait.METADATA_AS_UPDATE);
  }

  @Override
  protected void initialStatus(ObjectNode object) {
    object.putObject("status");
  }

  @Override
  public List<FieldError> validate(
      ObjectNode object, @Nullable ObjectNode old, RequestContext context) {
    Problems problems = new Problems();
    JsonNode cidrs = object.at("/spec/cidrs");
    if (old == null) {
      check(cidrs, problems);
    } else {
      checkUpdate(cidrs, old.at("/spec/cidrs"), problems);
    }
    return problems.list();
  }

  @Override
  public List<Column> columns() {
    return COLUMNS;
  }

  @Override
  public List<JsonNode> cells(ObjectNode object, Instant now) {
    return List.of(
        Cells.name(object),
        Cells.text(String.join(",", Cells.strings(object.at("/spec/cidrs")))),
        Cells.age(object, now));
  }

  private static void check(JsonNode cidrs, Problems problems) {
    if (cidrs.isEmpty()) {
      problems.required(PATH, "at least one CIDR required");
      return;
    }
    if (cidrs.size() > MAX_CIDRS) {
      problems.invalid(PATH, cidrs, "may only hold up to 2 values");
      return;
    }
    Set<io.fairlead.api.net.IpAddress.Family> families =
        EnumSet.noneOf(io.fairlead.api.net.IpAddress.Family.class);
    int index = 0;
    for (JsonNode cidr : cidrs) {
      String text = cidr.asString("");
      problems.each(PATH + "[" + index + "]", text, AddressRules.cidrProblems(text));
      Cidr parsed = Cidr.parseOrNull(text);
      if (parsed != null && !families.add(parsed.family())) {
        problems.invalid(
            PATH,
            cidrs,
            "may specify no more than one IP for each IP family, i.e 192.168.0.0/24 and"
                + " 2001:db8::/64");
      }
      if (parsed != null && parsed.isMasked() && !parsed.toString().equals(text)) {
        problems.invalid(
            PATH + "[" + index + "]", text, "must be in canonical form (\"" + parsed + "\")");
      }
      index++;
    }
  }

  /// Services hold addresses of these ranges: a range stays, only the other family may join it.
  private static void checkUpdate(JsonNode now, JsonNode before, Problems problems) {
    if (now.size() < before.size()) {
      problems.invalid(PATH, now, Problems.IMMUTABLE);
      return;
    }
    for (int index = 0; index < before.size(); index++) {
      problems.immutable(PATH + "[" + index + "]", now.path(index), before.path(index));
    }
    if (now.size() > before.size()) {
      check(now, problems);
    }
  }
}
