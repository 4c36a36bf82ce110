package io.fairlead.controller.cronjob;

import io.fairlead.api.json.Json;
import io.fairlead.client.ApiObject;
import io.fairlead.client.HasMetadata;
import io.fairlead.client.ObjectMeta;
import io.fairlead.client.ResourceType;
import io.fairlead.controller.runtime.InformerKind;
import io.fairlead.controller.workload.Rfc3339Times;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// A CronJob. Immutable; the tree inside is shared.
record CronJob(ApiObject object) implements HasMetadata {
  static final ResourceType TYPE = ResourceType.CRON_JOBS;
  static final InformerKind<CronJob> KIND = InformerKind.of(TYPE, CronJob::of);

  static CronJob of(ObjectNode body) {
    return new CronJob(ApiObject.of(body));
  }

  @Override
  public ObjectMeta metadata() {
    return object.metadata();
  }

  JsonNode spec() {
    return object.body().path("spec");
  }

  JsonNode status() {
    return object.body().path("status");
  }

  boolean suspended() {
    return spec().path("suspend").asBoolean(false);
  }

  String concurrencyPolicy() {
    return Json.textOr(spec(), "Allow", "concurrencyPolicy");
  }

  /// How late a Job may start.
  Optional<Duration> deadline() {
    JsonNode seconds = spec().path("startingDeadlineSeconds");
    return seconds.isNumber()
        ? Optional.of(Duration.ofSeconds(seconds.asLong(0)))
        : Optional.empty();
  }

  /// Its schedule; empty when it cannot be read.
  Optional<CronSchedule> schedule() {
    try {
      return Optional.of(CronSchedule.parse(Json.textOr(spec(), "", "schedule")));
    } catch (IllegalArgumentException _) {
      return Optional.empty();
    }
  }

  /// The zone its schedule is meant in; empty when there is none of that name.
  Optional<ZoneId> zone() {
    String name = Json.textOr(spec(), "", "timeZone");
    try {
      return Optional.of(name.isEmpty() ? ZoneOffset.UTC : ZoneId.of(name));
    } catch (DateTimeException _) {
      return Optional.empty();
    }
  }

  /// From when on times count: its last, or its creation, but no earlier than may still be made up
  /// for.
  Instant since(Instant now) {
    Instant last =
        Rfc3339Times.at(status(), "lastScheduleTime")
            .or(() -> Rfc3339Times.at(object.body(), "metadata", "creationTimestamp"))
            .orElse(now);
    Instant earliest = deadline().map(now::minus).orElse(last);
    return earliest.isAfter(last) ? earliest : last;
  }

  int history(String field, int otherwise) {
    return spec().path(field).asInt(otherwise);
  }
}
