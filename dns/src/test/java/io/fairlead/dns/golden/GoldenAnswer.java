package io.fairlead.dns.golden;

import io.fairlead.api.json.Json;
import io.fairlead.dns.wire.DnsMessage;
import io.fairlead.dns.wire.Edns;
import io.fairlead.dns.wire.Rcode;
import io.fairlead.dns.wire.RecordData;
import io.fairlead.dns.wire.ResourceRecord;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// Compares a reply with a recorded one: everything but what depends on the moment.
final class GoldenAnswer {
  private GoldenAnswer() {}

  /// What differs; nothing when the reply is right.
  static List<String> differences(JsonNode query, JsonNode want, Optional<DnsMessage> reply) {
    if (want.has("none") || reply.isEmpty()) {
      return want.has("none") == reply.isEmpty()
          ? List.of()
          : List.of("reply: want " + want + " got " + reply);
    }
    DnsMessage got = reply.get();
    List<String> wrong = new ArrayList<>();
    compare(wrong, "rcode", want.path("rcode").asString(), Rcode.name(got.rcode()));
    flags(wrong, query, want, got);
    section(wrong, query, want, "answer", got.answer());
    section(wrong, query, want, "authority", got.authority());
    section(wrong, query, want, "additional", got.additional());
    boolean headerOnly = List.of("FORMERR", "NOTIMP").contains(want.path("rcode").asString());
    if (want.has("question") && !headerOnly) {
      compare(
          wrong,
          "question",
          texts(want.path("question")),
          got.questions().stream().map(Object::toString).toList());
    }
    compare(wrong, "opcode", want.path("opcode").asInt(0), got.header().opcode());
    edns(wrong, want.path("edns"), got.edns());
    return wrong;
  }

  private static void flags(List<String> wrong, JsonNode query, JsonNode want, DnsMessage got) {
    List<String> wanted = new ArrayList<>(List.of(want.path("flags").asString().split(" ")));
    List<String> flags = new ArrayList<>(List.of(got.header().flagText().split(" ")));
    if (wanted.contains("aa")) {
      wanted.remove("ra");
      flags.remove("ra");
    }
    // Whether the recorded answer came from its cache was chance; what was decided is not.
    if ("any".equals(Json.text(query, "aa")) && !query.has("fairlead")) {
      wanted.remove("aa");
      flags.remove("aa");
    }
    compare(wrong, "flags", wanted, flags);
  }

  private static void edns(List<String> wrong, JsonNode want, @Nullable Edns got) {
    compare(wrong, "edns", want.isObject(), got != null);
    if (want.isObject() && got != null) {
      compare(wrong, "edns version", want.path("version").asInt(), got.version());
      compare(wrong, "edns do", want.path("do").asBoolean(), got.dnssecOk());
    }
  }

  private static void section(
      List<String> wrong, JsonNode query, JsonNode want, String name, List<ResourceRecord> got) {
    List<String> lines = got.stream().map(GoldenAnswer::text).toList();
    JsonNode count = want.path(name + "Count");
    boolean transfer = List.of("AXFR", "IXFR").contains(Json.textOr(query, "", "type"));
    if (!count.isMissingNode()) {
      compare(wrong, name + " count", count.asInt(), lines.size());
      if (!transfer) {
        compare(wrong, name + " distinct", count.asInt(), new HashSet<>(lines).size());
      }
    }
    JsonNode most = want.path(name + "Max");
    if (!most.isMissingNode() && lines.size() > most.asInt()) {
      wrong.add(name + ": at most " + most + " but " + lines.size());
    }
    String each = Json.text(want, name + "Each");
    if (each != null) {
      lines.stream()
          .filter(line -> !line.matches(each))
          .findFirst()
          .ifPresent(line -> wrong.add(name + ": unexpected " + line));
    }
    for (String line : texts(want.path(name + "Includes"))) {
      if (!lines.contains(line)) {
        wrong.add(name + ": missing " + line);
      }
    }
    if (want.has(name)) {
      compare(wrong, name, normal(query, texts(want.path(name))), normal(query, lines));
    }
  }

  private static List<String> normal(JsonNode query, List<String> lines) {
    boolean aged = "aged".equals(Json.text(query, "ttl"));
    boolean anyCase = "anycase".equals(Json.text(query, "owner"));
    return lines.stream()
        .map(line -> aged ? line.replaceFirst("^(\\S+) \\d+ ", "$1 * ") : line)
        .map(line -> anyCase ? line.toLowerCase(Locale.ROOT) : line)
        .sorted()
        .toList();
  }

  /// A record as recorded: serials of cluster zones are the time of a change.
  private static String text(ResourceRecord each) {
    if (each.data() instanceof RecordData.Soa soa) {
      String server = soa.server().toString().toLowerCase(Locale.ROOT);
      if (server.startsWith("ns") && server.contains(".dns.")) {
        return each.toString().replace(" " + soa.serial() + " ", " $SERIAL ");
      }
    }
    return each.toString();
  }

  private static List<String> texts(JsonNode array) {
    List<String> texts = new ArrayList<>();
    array.forEach(each -> texts.add(each.asString()));
    return texts;
  }

  private static void compare(List<String> wrong, String what, Object want, Object got) {
    if (!want.equals(got)) {
      wrong.add(what + ": want " + want + " got " + got);
    }
  }
}
