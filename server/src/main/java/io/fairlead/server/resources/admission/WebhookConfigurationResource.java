package io.fairlead.server.resources.admission;

import io.fairlead.api.json.Json;
import io.fairlead.api.status.FieldError;
import io.fairlead.server.resource.Column;
import io.fairlead.server.resource.RequestContext;
import io.fairlead.server.resources.kind.Defaults;
import io.fairlead.server.resources.kind.NameValidator;
import io.fairlead.server.resources.kind.Problems;
import io.fairlead.server.resources.kind.ResourceDescriptorBuilder;
import io.fairlead.server.resources.kind.StoredResource;
import io.fairlead.server.resources.table.Cells;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Webhooks that are asked about requests: those that change objects, or those that only judge.
public final class WebhookConfigurationResource extends StoredResource {
  private static final String GROUP = "admissionregistration.k8s.io";
  private static final int TIMEOUT_SECONDS = 10;
  private static final int HTTPS = 443;
  private static final List<Column> COLUMNS =
      List.of(
          Cells.NAME,
          Column.number("Webhooks", "Webhooks indicates the number of webhooks configured."),
          Cells.AGE);

  private final boolean mutating;

  private WebhookConfigurationResource(String plural, String kind, boolean mutating) {
    super(
        ResourceDescriptorBuilder.cluster(GROUP, plural, kind).categories("api-extensions").build(),
        NameValidator.SUBDOMAIN,
        Trait.GENERATIONS,
        Trait.NEEDS_RESOURCE_VERSION,
        Trait.METADATA_AS_UPDATE);
    this.mutating = mutating;
  }

  public static WebhookConfigurationResource mutating() {
    return new WebhookConfigurationResource(
        "mutatingwebhookconfigurations", "MutatingWebhookConfiguration", true);
  }

  public static WebhookConfigurationResource validating() {
    return new WebhookConfigurationResource(
        "validatingwebhookconfigurations", "ValidatingWebhookConfiguration", false);
  }

  @Override
  public boolean governsWrites() {
    return true;
  }

  @Override
  public void applyDefaults(ObjectNode object) {
    for (JsonNode each : object.path("webhooks")) {
      if (each instanceof ObjectNode webhook) {
        Defaults.missingText(webhook, "failurePolicy", "Fail");
        Defaults.missingText(webhook, "matchPolicy", "Equivalent");
        ObjectNode _ = Defaults.object(webhook, "namespaceSelector");
        ObjectNode _ = Defaults.object(webhook, "objectSelector");
        Defaults.missingNumber(webhook, "timeoutSeconds", TIMEOUT_SECONDS);
        if (mutating) {
          Defaults.missingText(webhook, "reinvocationPolicy", "Never");
        }
        if (Json.at(webhook, "clientConfig", "service") instanceof ObjectNode service) {
          Defaults.missingNumber(service, "port", HTTPS);
        }
        for (JsonNode rule : webhook.path("rules")) {
          if (rule instanceof ObjectNode one) {
            Defaults.missingText(one, "scope", "*");
          }
        }
      }
    }
  }

  @Override
  public List<FieldError> validate(
      ObjectNode object, @Nullable ObjectNode old, RequestContext context) {
    Problems problems = new Problems();
    new WebhookValidation(problems, mutating).check(object.path("webhooks"));
    return problems.list();
  }

  @Override
  public List<Column> columns() {
    return COLUMNS;
  }

  @Override
  public List<JsonNode> cells(ObjectNode object, Instant now) {
    return List.of(
        Cells.name(object), Cells.number(object.path("webhooks").size()), Cells.age(object, now));
  }
}
