package io.fairlead.e2e.golden;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.fairlead.api.json.Json;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// Sends the steps of one scenario to a server and says how the answers differ.
final class GoldenRunner {
  private static final Pattern PATH_PART = Pattern.compile("[^.\\[\\]]+|\\[[^\\]]*]");

  private final HttpClient http;
  private final URI server;
  private final String token;
  private final Map<String, String> variables = new HashMap<>();
  // Variables that were JSON numbers and must be sent as such.
  private final Set<String> numbers = new HashSet<>();

  GoldenRunner(HttpClient http, URI server, String token) {
    this.http = http;
    this.server = server;
    this.token = token;
  }

  /// Runs a step, again and again until it matches when it may be polled. A step with a decided
  /// answer must give that one, and it must differ from the recorded one.
  List<String> run(GoldenStep step) throws IOException, InterruptedException {
    JsonNode recorded = step.raw().path("expect");
    JsonNode expected = GoldenDifferences.decided(step.id()).orElse(recorded);
    TimeUnit.MILLISECONDS.sleep((long) (1000 * step.seconds("sleep")));
    long end = System.nanoTime() + (long) (1e9 * step.seconds("poll"));
    while (true) {
      HttpResponse<byte[]> response = http.send(request(step), BodyHandlers.ofByteArray());
      ObjectNode answer = parse(step, response);
      List<String> problems = new ArrayList<>(compare(step, expected, answer));
      if (!expected.equals(recorded) && compare(step, recorded, answer).isEmpty()) {
        problems.add("answers like the original, so it is no longer a difference");
      }
      if (problems.isEmpty() || System.nanoTime() >= end) {
        save(step, answer, response, problems);
        return problems;
      }
      TimeUnit.MILLISECONDS.sleep(100);
    }
  }

  private HttpRequest request(GoldenStep step) {
    Map<String, @Nullable String> headers = new LinkedHashMap<>();
    headers.put("User-Agent", "golden");
    headers.put("Accept", "application/json");
    headers.put("Authorization", "Bearer " + token);
    for (Map.Entry<String, JsonNode> header : step.raw().path("headers").properties()) {
      headers.put(
          header.getKey(),
          header.getValue().isNull()
              ? null
              : GoldenMatcher.fill(header.getValue().asString(), variables));
    }
    byte @Nullable [] body = body(step);
    if (body != null
        && !step.raw().has("bodyBase64")
        && headers.keySet().stream().noneMatch("content-type"::equalsIgnoreCase)) {
      headers.put("Content-Type", "application/json");
    }
    String path = GoldenMatcher.fill(Json.textOr(step.raw(), "", "path"), variables);
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(server + path.replace(" ", "%20")))
            .timeout(Duration.ofSeconds(60))
            .method(
                Json.textOr(step.raw(), "GET", "method"),
                body == null ? BodyPublishers.noBody() : BodyPublishers.ofByteArray(body));
    headers.forEach(
        (name, value) -> {
          if (value != null) {
            request.header(name, value);
          }
        });
    return request.build();
  }

  private byte @Nullable [] body(GoldenStep step) {
    JsonNode raw = step.raw();
    if (raw.has("body")) {
      JsonNode body = raw.path("body");
      String text = body.isString() ? body.stringValue() : body.toString();
      for (String number : numbers) {
        text = text.replace("\"{{" + number + "}}\"", "{{" + number + "}}");
      }
      return GoldenMatcher.fill(text, variables).getBytes(UTF_8);
    }
    if (raw.has("bodyBase64")) {
      return Base64.getDecoder().decode(raw.path("bodyBase64").asString());
    }
    if (raw.has("bodyFill")) {
      ObjectNode big = Json.object().put("apiVersion", "v1").put("kind", "ConfigMap");
      big.putObject("metadata").put("name", "big");
      big.putObject("data").put("a", "a".repeat(raw.path("bodyFill").asInt()));
      return Json.bytes(big);
    }
    return null;
  }

  /// The answer in the form of the files: status, headers, and body, text or events.
  private static ObjectNode parse(GoldenStep step, HttpResponse<byte[]> response) {
    ObjectNode out = Json.object().put("status", response.statusCode());
    ObjectNode headers = out.putObject("headers");
    String type = response.headers().firstValue("content-type").orElse("");
    if (!type.isEmpty()) {
      headers.put("content-type", type);
    }
    List<String> warnings = response.headers().allValues("warning");
    if (!warnings.isEmpty()) {
      warnings.forEach(headers.putArray("warning")::add);
    }
    String text = new String(response.body(), UTF_8);
    if (step.flag("stream") && response.statusCode() == 200) {
      ArrayNode events = out.putArray("events");
      text.lines().filter(line -> !line.isBlank()).forEach(line -> addEvent(events, line));
    } else if (type.contains("json") && !text.isBlank()) {
      out.set("body", Json.parse(response.body()));
    } else if (!text.isEmpty()) {
      out.put("text", text);
    }
    return out;
  }

  /// Periodic bookmarks depend on timing; only the one that ends the initial events is a promise.
  private static void addEvent(ArrayNode events, String line) {
    JsonNode event = Json.parse(line.getBytes(UTF_8));
    if (!"BOOKMARK".equals(Json.text(event, "type"))
        || line.contains("k8s.io/initial-events-end")) {
      events.add(event);
    }
  }

  private List<String> compare(GoldenStep step, JsonNode expected, ObjectNode answer) {
    if (expected.isMissingNode()) {
      return List.of();
    }
    JsonNode status = expected.path("status");
    if (!status.isMissingNode() && !statusFits(status, answer.path("status"))) {
      String said = Json.textOr(answer, Json.textOr(answer, "", "text"), "body", "message");
      return List.of("status: expected " + status + ", got " + answer.path("status") + " " + said);
    }
    boolean contains = "contains".equals(Json.text(step.raw(), "mode"));
    List<String> out = new ArrayList<>();
    GoldenMatcher exact = new GoldenMatcher(variables, false);
    for (Map.Entry<String, JsonNode> header : expected.path("headers").properties()) {
      out.addAll(
          exact.differences(
              header.getValue(),
              answer.path("headers").path(header.getKey()),
              "header " + header.getKey()));
    }
    JsonNode warning = answer.path("headers").path("warning");
    if (expected.has("headers")
        && !expected.path("headers").has("warning")
        && !warning.isMissingNode()) {
      out.add("header warning: unexpected " + warning);
    }
    GoldenMatcher matcher = new GoldenMatcher(variables, contains);
    for (String part : List.of("body", "text", "events")) {
      if (expected.has(part)) {
        JsonNode want = expected.path(part).deepCopy();
        JsonNode got = answer.path(part).deepCopy();
        GoldenMatcher.strip(want, step.flag("managedFields"));
        GoldenMatcher.strip(got, step.flag("managedFields"));
        out.addAll(matcher.differences(want, got, part.equals("body") ? "$" : part));
      }
    }
    return out;
  }

  private static boolean statusFits(JsonNode expected, JsonNode actual) {
    if (!expected.isArray()) {
      return expected.asInt() == actual.asInt();
    }
    for (JsonNode one : expected) {
      if (one.asInt() == actual.asInt()) {
        return true;
      }
    }
    return false;
  }

  private void save(
      GoldenStep step, ObjectNode answer, HttpResponse<byte[]> response, List<String> problems) {
    for (Map.Entry<String, JsonNode> wanted : step.raw().path("save").properties()) {
      String where = wanted.getValue().asString();
      JsonNode found =
          where.startsWith("header:")
              ? header(response, where.substring(7))
              : dig(answer.has("body") ? answer.path("body") : answer.path("events"), where);
      if (!found.isMissingNode()) {
        variables.put(wanted.getKey(), found.isValueNode() ? found.asString() : found.toString());
        if (found.isNumber()) {
          numbers.add(wanted.getKey());
        }
      } else if (problems.isEmpty()) {
        problems.add("cannot read " + where + " for {{" + wanted.getKey() + "}}");
      }
    }
  }

  /// `a.b[0].c` or `a.b[type=x].c`.
  private static JsonNode dig(JsonNode from, String path) {
    JsonNode at = from;
    Matcher parts = PATH_PART.matcher(path);
    while (parts.find()) {
      String part = parts.group();
      if (!part.startsWith("[")) {
        at = at.path(part);
      } else if (part.contains("=")) {
        at = item(at, part.substring(1, part.indexOf('=')), part);
      } else {
        at = at.path(Integer.parseInt(part.substring(1, part.length() - 1)));
      }
    }
    return at;
  }

  private static JsonNode header(HttpResponse<byte[]> response, String name) {
    ObjectNode out = Json.object();
    response.headers().firstValue(name).ifPresent(value -> out.put(name, value));
    return out.path(name);
  }

  private static JsonNode item(JsonNode list, String key, String part) {
    String value = part.substring(part.indexOf('=') + 1, part.length() - 1);
    for (JsonNode item : list) {
      if (item.path(key).asString("").equals(value)) {
        return item;
      }
    }
    return Json.object().path("missing");
  }
}
