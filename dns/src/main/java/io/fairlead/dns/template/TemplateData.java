package io.fairlead.dns.template;

import com.google.re2j.Matcher;
import io.fairlead.api.net.IpAddress;
import io.fairlead.dns.plugin.InstanceContext;
import io.fairlead.dns.plugin.MetadataSource;
import io.fairlead.dns.plugin.Plugin;
import io.fairlead.dns.plugin.Query;
import io.fairlead.dns.wire.Name;
import io.fairlead.dns.wire.RecordClass;
import io.fairlead.dns.wire.RecordType;
import java.util.AbstractMap;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// What a template can say about a query. A value is made when it is asked for: most templates ask
/// for one or two.
final class TemplateData extends AbstractMap<String, Object> {
  private static final List<String> FIELDS =
      List.of(
          "Name",
          "Zone",
          "Class",
          "Type",
          "Match",
          "Group",
          "Question",
          "Message",
          "Meta",
          "Remote");

  /// What matched a pattern, and under which names its groups are known.
  record NameGroups(List<String> groups, Map<String, Integer> named) {
    static NameGroups of(Matcher match) {
      List<String> groups = new ArrayList<>();
      for (int i = 0; i <= match.groupCount(); i++) {
        String group = match.group(i);
        groups.add(group == null ? "" : group);
      }
      return new NameGroups(groups, match.pattern().namedGroups());
    }
  }

  private final Query query;
  private final String name;
  private final Name zone;
  private final NameGroups match;
  private final InstanceContext instance;

  /// @param name in lower case
  TemplateData(Query query, String name, Name zone, NameGroups match, InstanceContext instance) {
    this.query = query;
    this.name = name;
    this.zone = zone;
    this.match = match;
    this.instance = instance;
  }

  @Override
  public @Nullable Object get(@Nullable Object field) {
    return field instanceof String text ? value(text) : null;
  }

  private @Nullable Object value(String field) {
    return switch (field) {
      case "Name" -> name;
      case "Zone" -> zone.toString();
      case "Class" -> RecordClass.name(query.question().recordClass());
      case "Type" -> RecordType.name(query.type());
      case "Match" -> match.groups();
      case "Group" -> named();
      case "Question" -> question();
      case "Message" -> message();
      case "Meta" -> (Function<String, String>) this::metadata;
      case "Remote" ->
          IpAddress.ofBytes(query.origin().remote().getAddress().getAddress()).toString();
      default -> null;
    };
  }

  @Override
  public Set<Map.Entry<String, Object>> entrySet() {
    Map<String, Object> all = new HashMap<>();
    for (String field : FIELDS) {
      all.put(field, Objects.requireNonNull(value(field)));
    }
    return all.entrySet();
  }

  private Map<String, Object> named() {
    Map<String, Object> named = new HashMap<>();
    match.named().forEach((group, index) -> named.put(group, match.groups().get(index)));
    return named;
  }

  private Map<String, Object> question() {
    return Map.of(
        "Name",
        name,
        "Qtype",
        (long) query.type(),
        "Qclass",
        (long) query.question().recordClass());
  }

  private Map<String, Object> message() {
    return Map.of(
        "Id",
        (long) query.request().header().id(),
        "Opcode",
        (long) query.request().header().opcode(),
        "RecursionDesired",
        query.recursionDesired(),
        "CheckingDisabled",
        query.checkingDisabled(),
        "Question",
        List.of(question()));
  }

  private String metadata(String label) {
    for (Plugin plugin : instance.plugins()) {
      if (plugin instanceof MetadataSource source) {
        String value = source.metadata(query).get(label);
        if (value != null) {
          return value;
        }
      }
    }
    return "";
  }
}
