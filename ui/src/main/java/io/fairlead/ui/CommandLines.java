package io.fairlead.ui;

import io.fairlead.api.json.DecodeException;
import io.fairlead.api.json.Json;
import io.fairlead.api.status.ApiException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// The command lines behind views of the page. What comes from a browser becomes a word only when
/// it looks like a name, so that it can never be a flag.
final class CommandLines {
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._:/-]{0,252}");
  private static final Set<String> HOW = Set.of("send", "passive", "model");

  private CommandLines() {}

  /// @throws ApiException 400 when it is none
  static String name(String text) {
    if (!NAME.matcher(text).matches() || text.contains("..")) {
      throw ApiException.badRequest("not a name: " + text);
    }
    return text;
  }

  static List<String> rules(String namespace, String service, String node) {
    List<String> words =
        new ArrayList<>(
            List.of("rules", "svc/" + name(service), "-n", name(namespace), "--mode", "all"));
    if (!node.isEmpty()) {
      words.addAll(List.of("--node", name(node)));
    }
    return words;
  }

  static List<String> dns(String name, String namespace, String from) {
    List<String> words = new ArrayList<>(List.of("dns", name(name)));
    words.addAll(List.of("-n", name(namespace.isEmpty() ? "default" : namespace)));
    if (!from.isEmpty()) {
      words.addAll(List.of("--from", "pod/" + name(from)));
    }
    return words;
  }

  /// @param request `from` (`pod/NS/NAME`, `node/NAME`), `to` (`svc/NS/NAME`), `port`, `how`
  static List<String> trace(JsonNode request) {
    String how = Json.textOr(request, "send", "how");
    String[] from = Json.textOr(request, "", "from").split("/", 3);
    String[] to = Json.textOr(request, "", "to").split("/", 3);
    if (!HOW.contains(how) || from.length < 2 || to.length != 3) {
      throw ApiException.badRequest("a trace needs from, to and how");
    }
    String port = Json.textOr(request, "", "port");
    String target = "svc/" + name(to[2]) + (from[0].equals("pod") ? "." + name(to[1]) : "");
    List<String> words = new ArrayList<>(List.of("trace"));
    words.add(from[0].equals("pod") ? "pod/" + name(from[2]) : "node/" + name(from[1]));
    words.add("->");
    words.add(port.isEmpty() ? target : target + ":" + name(port));
    words.addAll(List.of("-n", name(from[0].equals("pod") ? from[1] : to[1])));
    switch (how) {
      case "passive" -> words.add("--passive=10s");
      case "model" -> words.add("--model");
      default -> {}
    }
    return words;
  }

  /// @param request `namespace`, `name`, and `scale` or `kill`
  static List<String> simulate(JsonNode request) {
    String namespace = name(Json.textOr(request, "default", "namespace"));
    List<String> words = new ArrayList<>(List.of("simulate"));
    for (String flag : List.of("scale", "kill", "down", "mode")) {
      String value = Json.textOr(request, "", flag);
      if (!value.isEmpty()) {
        words.add("--" + flag + "=" + nameOrScale(value));
      }
    }
    words.addAll(List.of("-n", namespace));
    return words;
  }

  private static String nameOrScale(String value) {
    int is = value.indexOf('=');
    return is < 0
        ? name(value)
        : name(value.substring(0, is)) + "=" + name(value.substring(is + 1));
  }

  /// What a command line answered, and the line itself for who wants to type it.
  static ObjectNode run(UiHost host, UiHost.Seat seat, List<String> words) {
    List<String> asked = new ArrayList<>(words);
    asked.addAll(List.of("-o", "json"));
    return answer(words, host.run(seat, asked));
  }

  /// The same of a command that prints for people only.
  static ObjectNode runForPeople(UiHost host, UiHost.Seat seat, List<String> words) {
    return answer(words, host.run(seat, words));
  }

  private static ObjectNode answer(List<String> words, UiHost.CommandResult result) {
    ObjectNode answer = Json.object().put("command", shown(words)).put("exit", result.exit());
    try {
      answer.set("document", Json.parseObject(result.out().getBytes(StandardCharsets.UTF_8)));
    } catch (JacksonException | DecodeException _) {
      answer.putNull("document");
      answer.put("text", result.out());
    }
    return answer.put("error", result.err());
  }

  /// As a user types it.
  static String shown(List<String> words) {
    StringBuilder line = new StringBuilder("fairlead");
    for (String word : words) {
      line.append(' ').append(word.equals("->") ? "to" : word);
    }
    return line.toString();
  }

  static String language(String given) {
    return given.toLowerCase(Locale.ROOT).startsWith("zh") ? "zh-CN" : "en";
  }
}
