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
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;

/// What a template can say about a query.
final class TemplateData {
  private TemplateData() {}

  static Map<String, Object> of(Query query, Name zone, Matcher match, InstanceContext instance) {
    String name = query.name().toString().toLowerCase(Locale.ROOT);
    List<Object> groups = new ArrayList<>();
    for (int i = 0; i <= match.groupCount(); i++) {
      String group = match.group(i);
      groups.add(group == null ? "" : group);
    }
    Map<String, Object> named = new HashMap<>();
    match.pattern().namedGroups().forEach((group, index) -> named.put(group, groups.get(index)));
    Function<String, String> metadata = label -> metadata(instance, query, label);
    Map<String, Object> question = new HashMap<>();
    question.put("Name", name);
    question.put("Qtype", (long) query.type());
    question.put("Qclass", (long) query.question().recordClass());
    Map<String, Object> message = new HashMap<>();
    message.put("Id", (long) query.request().header().id());
    message.put("Opcode", (long) query.request().header().opcode());
    message.put("RecursionDesired", query.recursionDesired());
    message.put("CheckingDisabled", query.checkingDisabled());
    message.put("Question", List.of(question));
    Map<String, Object> facts = new HashMap<>();
    facts.put("Name", name);
    facts.put("Zone", zone.toString());
    facts.put("Class", RecordClass.name(query.question().recordClass()));
    facts.put("Type", RecordType.name(query.type()));
    facts.put("Match", groups);
    facts.put("Group", named);
    facts.put("Question", question);
    facts.put("Message", message);
    facts.put("Meta", metadata);
    facts.put(
        "Remote", IpAddress.ofBytes(query.origin().remote().getAddress().getAddress()).toString());
    return facts;
  }

  private static String metadata(InstanceContext instance, Query query, String label) {
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
