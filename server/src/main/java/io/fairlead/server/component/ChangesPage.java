package io.fairlead.server.component;

import io.fairlead.api.changes.ChangeRing;
import io.fairlead.api.json.Json;
import io.fairlead.api.status.ApiException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// `/fairlead/changes`: what the components of this process recorded.
///
/// `?namespace=NS&service=NAME` leaves out other Services, `since=SEQ` what is known already. One
/// part for each recorder, each with numbers of its own.
public final class ChangesPage {
  public static final String PATH = "/fairlead/changes";

  private static final int PAGE = 1000;

  private final List<Supplier<Optional<ChangeRing>>> recorders = new CopyOnWriteArrayList<>();

  /// Adds a recorder; empty while it does not record.
  public void add(Supplier<Optional<ChangeRing>> recorder) {
    recorders.add(recorder);
  }

  /// What the recorder that was added first has.
  public Optional<ChangeRing> first() {
    return recorders.getFirst().get();
  }

  public ComponentPage page() {
    return new ComponentPage("application/json", parameters -> document(parameters) + "\n");
  }

  private ObjectNode document(UnaryOperator<String> parameters) {
    String since = parameters.apply("since");
    if (!since.matches("[0-9]{0,9}")) {
      throw ApiException.badRequest("since is no number: " + since);
    }
    ObjectNode document =
        Json.object().put("kind", "ChangeList").put("apiVersion", "fairlead.dev/v1");
    ArrayNode parts = document.putArray("recorders");
    for (Supplier<Optional<ChangeRing>> each : recorders) {
      each.get()
          .ifPresent(
              ring -> {
                long start = since.isEmpty() ? 0 : Long.parseLong(since);
                parts.add(
                    only(
                        whole(ring, start),
                        parameters.apply("namespace"),
                        parameters.apply("service")));
              });
    }
    return document;
  }

  /// All pages as one: a client that asks once sees all that is kept.
  private static ObjectNode whole(ChangeRing ring, long since) {
    ObjectNode first = ring.since(since, PAGE).toJson();
    ArrayNode entries = (ArrayNode) first.path("entries");
    int got = entries.size();
    while (got == PAGE) {
      long next = entries.path(entries.size() - 1).path("seq").asLong();
      ArrayNode more = (ArrayNode) ring.since(next, PAGE).toJson().path("entries");
      got = more.size();
      entries.addAll(more);
    }
    return first;
  }

  private static ObjectNode only(ObjectNode part, String namespace, String service) {
    ArrayNode kept = Json.array();
    for (JsonNode entry : part.path("entries")) {
      boolean here = namespace.isEmpty() || Json.textOr(entry, "", "namespace").equals(namespace);
      // A change that is about no single Service may concern each.
      String about = Json.textOr(entry, "", "service");
      if (here && (service.isEmpty() || about.isEmpty() || about.equals(service))) {
        kept.add(entry);
      }
    }
    part.set("entries", kept);
    return part;
  }
}
