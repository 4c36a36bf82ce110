package io.fairlead.dns.golden;

import io.fairlead.api.json.Json;
import io.fairlead.dns.wire.DnsMessage;
import io.fairlead.dns.wire.Edns;
import io.fairlead.dns.wire.EdnsOption;
import io.fairlead.dns.wire.Header;
import io.fairlead.dns.wire.ImmutableBytes;
import io.fairlead.dns.wire.Name;
import io.fairlead.dns.wire.Question;
import io.fairlead.dns.wire.RecordClass;
import io.fairlead.dns.wire.RecordData;
import io.fairlead.dns.wire.RecordType;
import io.fairlead.dns.wire.ResourceRecord;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// Makes the packet of a recorded query.
final class GoldenQuery {
  private static final Map<String, Integer> OPCODES =
      Map.of("QUERY", 0, "IQUERY", 1, "STATUS", 2, "NOTIFY", 4, "UPDATE", 5, "DSO", 6);
  private static final Map<String, Integer> FLAGS =
      Map.of(
          "rd", Header.RD,
          "ad", Header.AD,
          "cd", Header.CD,
          "aa", Header.AA,
          "ra", Header.RA,
          "tc", Header.TC,
          "z", Header.Z,
          "qr", Header.QR);

  private GoldenQuery() {}

  static byte[] packet(JsonNode query) {
    String raw = Json.text(query, "raw");
    if (raw != null) {
      return HexFormat.of().parseHex(raw);
    }
    int flags = 0;
    for (String flag : Json.textOr(query, "rd", "send").split(" ")) {
      flags |= flag.isEmpty() ? 0 : FLAGS.get(flag);
    }
    Name name = Name.of(query.path("name").asString());
    Question question =
        new Question(
            name,
            RecordType.parse(query.path("type").asString()).orElseThrow(),
            RecordClass.parse(Json.textOr(query, "IN", "class")).orElseThrow());
    List<ResourceRecord> authority = new ArrayList<>();
    if (query.path("ixfr").isNumber()) {
      authority.add(
          ResourceRecord.in(
              name,
              0,
              new RecordData.Soa(Name.ROOT, Name.ROOT, query.path("ixfr").asLong(), 0, 0, 0, 0)));
    }
    return new DnsMessage(
            new Header(0x4242, OPCODES.get(Json.textOr(query, "QUERY", "opcode")), flags, 0),
            List.of(question),
            List.of(),
            authority,
            List.of(),
            edns(query.path("edns")))
        .write(65_535);
  }

  private static @Nullable Edns edns(JsonNode edns) {
    if (!edns.isObject()) {
      return null;
    }
    List<EdnsOption> options = new ArrayList<>();
    for (JsonNode option : edns.path("options")) {
      String[] parts = option.asString().split(":", -1);
      options.add(new EdnsOption(Integer.parseInt(parts[0]), ImmutableBytes.ofHex(parts[1])));
    }
    return new Edns(
        edns.path("udp").asInt(1232),
        edns.path("version").asInt(0),
        edns.path("do").asBoolean(false),
        options);
  }
}
