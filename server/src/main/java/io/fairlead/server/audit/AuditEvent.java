package io.fairlead.server.audit;

import io.fairlead.api.json.Json;
import io.fairlead.http.server.MaskedUri;
import io.fairlead.server.auth.Authorizer.Attributes;
import io.fairlead.server.auth.Authorizer.Decision;
import io.fairlead.server.auth.UserInfo;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// A request at one stage, as `audit.k8s.io/v1` has it at level Metadata: everything but the
/// bodies. So neither the data of a Secret nor an issued token can come in here; a token in the URL
/// is masked.
///
/// @param auditId one id for all stages of a request, also sent as header `Audit-ID`
/// @param asked who asked for what; the user is the one who logged in
/// @param impersonated as whom it was done, null when as the user itself
/// @param requestUri path and query
/// @param sourceAddresses the client, and proxies between
/// @param code of the answer; 0 while there is none
/// @param message of an error's Status; empty when there is none, or when it may quote the body
/// @param reason of an error's Status, else empty
/// @param decision the authorizer's, null when the request did not get that far
/// @param annotations what admission notes
public record AuditEvent(
    String auditId,
    Stage stage,
    Attributes asked,
    @Nullable UserInfo impersonated,
    String requestUri,
    List<String> sourceAddresses,
    String userAgent,
    int code,
    String message,
    String reason,
    @Nullable Decision decision,
    Instant received,
    Instant reached,
    Map<String, String> annotations) {

  /// How far a request has come.
  public enum Stage {
    REQUEST_RECEIVED("RequestReceived"),
    RESPONSE_STARTED("ResponseStarted"),
    RESPONSE_COMPLETE("ResponseComplete"),
    PANIC("Panic");

    private final String text;

    Stage(String text) {
      this.text = text;
    }
  }

  private static final DateTimeFormatter MICROSECONDS =
      DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss.SSSSSS'Z'", Locale.ROOT)
          .withZone(ZoneOffset.UTC);
  private static final int LONGEST_USER_AGENT = 1024;
  private static final Set<String> READS = Set.of("get", "list", "watch", "head", "options");
  private static final Set<String> REVIEW_GROUPS =
      Set.of("authentication.k8s.io", "authorization.k8s.io");

  public AuditEvent {
    sourceAddresses = List.copyOf(sourceAddresses);
    annotations = Map.copyOf(annotations);
  }

  /// Whether a request is one for the log: it changes something. Reviews are questions, though they
  /// are sent as creates.
  public static boolean isWanted(Attributes asked) {
    return !READS.contains(asked.verb()) && !REVIEW_GROUPS.contains(asked.group());
  }

  ObjectNode toJson() {
    ObjectNode event = Json.object();
    event
        .put("kind", "Event")
        .put("apiVersion", "audit.k8s.io/v1")
        .put("level", "Metadata")
        .put("auditID", auditId)
        .put("stage", stage.text)
        .put("requestURI", MaskedUri.of(requestUri))
        .put("verb", asked.verb());
    event.set("user", user(asked.user()));
    if (impersonated != null) {
      event.set("impersonatedUser", user(impersonated));
    }
    fill(event.putArray("sourceIPs"), sourceAddresses);
    if (!userAgent.isEmpty()) {
      event.put("userAgent", shortened(userAgent));
    }
    if (!asked.resource().isEmpty()) {
      event.set("objectRef", objectReference());
    }
    if (code > 0) {
      ObjectNode status = event.putObject("responseStatus");
      status.putObject("metadata");
      if (code >= 400) {
        status.put("status", "Failure");
      }
      putUnlessEmpty(status, "message", message);
      putUnlessEmpty(status, "reason", reason);
      status.put("code", code);
    }
    event
        .put("requestReceivedTimestamp", MICROSECONDS.format(received))
        .put("stageTimestamp", MICROSECONDS.format(reached));
    if (decision != null) {
      ObjectNode notes = event.putObject("annotations");
      new TreeMap<>(annotations).forEach(notes::put);
      notes
          .put("authorization.k8s.io/decision", decision.allowed() ? "allow" : "forbid")
          .put("authorization.k8s.io/reason", decision.reason());
    }
    return event;
  }

  /// The event as one line of JSON without control and format characters: those could move the
  /// cursor of a terminal, or show the text in another order.
  byte[] toLine() {
    String json = new String(Json.bytes(toJson()), StandardCharsets.UTF_8);
    StringBuilder line = new StringBuilder(json.length() + 16);
    for (int i = 0; i < json.length(); i++) {
      char c = json.charAt(i);
      boolean hidden =
          switch (Character.getType(c)) {
            case Character.CONTROL,
                Character.FORMAT,
                Character.LINE_SEPARATOR,
                Character.PARAGRAPH_SEPARATOR ->
                true;
            default -> false;
          };
      if (hidden) {
        line.append(String.format(Locale.ROOT, "\\u%04x", (int) c));
      } else {
        line.append(c);
      }
    }
    return line.toString().getBytes(StandardCharsets.UTF_8);
  }

  private ObjectNode objectReference() {
    ObjectNode reference = Json.object().put("resource", asked.resource());
    putUnlessEmpty(reference, "namespace", asked.namespace());
    putUnlessEmpty(reference, "name", asked.name());
    putUnlessEmpty(reference, "apiGroup", asked.group());
    putUnlessEmpty(reference, "apiVersion", asked.version());
    putUnlessEmpty(reference, "subresource", asked.subresource());
    return reference;
  }

  private static ObjectNode user(UserInfo user) {
    ObjectNode node = Json.object().put("username", user.name());
    putUnlessEmpty(node, "uid", user.uid());
    fill(node.putArray("groups"), user.groups());
    if (!user.extra().isEmpty()) {
      ObjectNode extra = node.putObject("extra");
      new TreeMap<>(user.extra()).forEach((key, values) -> fill(extra.putArray(key), values));
    }
    return node;
  }

  private static String shortened(String text) {
    return text.length() <= LONGEST_USER_AGENT
        ? text
        : text.substring(0, LONGEST_USER_AGENT) + "...TRUNCATED";
  }

  private static void fill(ArrayNode list, List<String> values) {
    values.forEach(list::add);
  }

  private static void putUnlessEmpty(ObjectNode node, String key, String value) {
    if (!value.isEmpty()) {
      node.put(key, value);
    }
  }
}
