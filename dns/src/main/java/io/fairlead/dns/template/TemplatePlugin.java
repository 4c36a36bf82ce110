package io.fairlead.dns.template;

import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import io.fairlead.dns.plugin.ChainPlugin;
import io.fairlead.dns.plugin.DnsAnswer;
import io.fairlead.dns.plugin.Handler;
import io.fairlead.dns.plugin.InstanceContext;
import io.fairlead.dns.plugin.Query;
import io.fairlead.dns.plugin.Reply;
import io.fairlead.dns.plugin.ReplyValidity;
import io.fairlead.dns.wire.Header;
import io.fairlead.dns.wire.Name;
import io.fairlead.dns.wire.Question;
import io.fairlead.dns.wire.Rcode;
import io.fairlead.dns.wire.RecordClass;
import io.fairlead.dns.wire.RecordData;
import io.fairlead.dns.wire.RecordType;
import io.fairlead.dns.wire.ResourceRecord;
import io.fairlead.dns.zonefile.MasterFile;
import io.fairlead.dns.zonefile.ZoneFileException;
import io.prometheus.metrics.core.datapoints.CounterDataPoint;
import io.prometheus.metrics.core.metrics.Counter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// All templates of a block, tried in the order they are written.
final class TemplatePlugin implements ChainPlugin {
  private final List<Template> templates;
  private final InstanceContext instance;
  private final Counter matches;
  private final Counter templateFailures;
  private final Counter recordFailures;

  TemplatePlugin(List<Template> templates, InstanceContext instance) {
    this.templates = List.copyOf(templates);
    this.instance = instance;
    this.matches =
        instance
            .metrics()
            .counter(
                "coredns_template_matches_total",
                "Counter of template regex matches.",
                "server",
                "zone",
                "view",
                "class",
                "type");
    this.templateFailures = failures("coredns_template_template_failures_total", "go template");
    this.recordFailures = failures("coredns_template_rr_failures_total", "mis-templated RRs");
  }

  private Counter failures(String name, String what) {
    return instance
        .metrics()
        .counter(
            name,
            "Counter of " + what + " failures.",
            "server",
            "zone",
            "view",
            "class",
            "type",
            "section",
            "template");
  }

  @Override
  public String name() {
    return "template";
  }

  @Override
  public List<? extends Record> options() {
    return templates;
  }

  @Override
  public boolean passesOwnData(Name zone) {
    return templates.stream().noneMatch(each -> each.zones().overlap(zone));
  }

  @Override
  public boolean treatsClientsAlike() {
    return true;
  }

  @Override
  public boolean mayBlock() {
    return false;
  }

  @Override
  public DnsAnswer handle(Query query, Handler next) {
    String name = query.name().toString().toLowerCase(Locale.ROOT);
    for (Template template : templates) {
      Name zone = zone(template, query);
      if (zone == null) {
        continue;
      }
      TemplateData.NameGroups match = match(template, name);
      if (match == null) {
        if (template.fallthrough().through(query.name())) {
          continue;
        }
        return Reply.failed("template", Rcode.SERVFAIL, "no template matches");
      }
      TemplateData data = new TemplateData(query, name, zone, match, instance);
      return answer(template, zone, data, query);
    }
    return next.handle(query);
  }

  private static @Nullable Name zone(Template template, Query query) {
    boolean fits =
        (template.type() == RecordType.ANY || template.type() == query.type())
            && (template.recordClass() == RecordClass.ANY
                || template.recordClass() == query.question().recordClass());
    return fits ? template.zones().match(query.name()) : null;
  }

  private static TemplateData.@Nullable NameGroups match(Template template, String name) {
    if (template.patterns().isEmpty()) {
      return new TemplateData.NameGroups(List.of(name), Map.of());
    }
    for (Pattern pattern : template.patterns()) {
      Matcher matcher = pattern.matcher(name);
      if (matcher.find()) {
        return TemplateData.NameGroups.of(matcher);
      }
    }
    return null;
  }

  private DnsAnswer answer(Template template, Name zone, TemplateData data, Query query) {
    String type = RecordType.name(query.type());
    String recordClass = RecordClass.name(query.question().recordClass());
    String server = query.origin().server();
    CounterDataPoint matched = matches.labelValues(server, zone.toString(), "", recordClass, type);
    List<List<ResourceRecord>> sections = new ArrayList<>();
    List<List<TextTemplate>> written =
        List.of(template.answer(), template.authority(), template.additional());
    List<String> names = List.of("answer", "authority", "additional");
    for (int i = 0; i < written.size(); i++) {
      List<ResourceRecord> records = new ArrayList<>();
      for (TextTemplate each : written.get(i)) {
        String[] labels = {
          server, zone.toString(), "", recordClass, type, names.get(i), each.toString()
        };
        try {
          records.add(MasterFile.record(each.fill(data)));
        } catch (TemplateException e) {
          matched.inc();
          templateFailures.labelValues(labels).inc();
          return Reply.failed("template", Rcode.SERVFAIL, each + ": " + e.getMessage());
        } catch (ZoneFileException e) {
          matched.inc();
          recordFailures.labelValues(labels).inc();
          return Reply.failed("template", Rcode.SERVFAIL, each + ": " + e.getMessage());
        }
      }
      sections.add(records);
    }
    Reply reply =
        Reply.of("template", template.rcode())
            .withFlags(Header.AA)
            .withAnswer(sections.get(0))
            .withAuthority(sections.get(1))
            .withAdditional(sections.get(2))
            .withOptions(template.options())
            .withValidity(template.namesTheClient() ? null : always(matched));
    // Names in templates are lower case; the client gets back what it wrote.
    Name asked = query.name();
    Reply spelled = reply.map(each -> each.owner().equals(asked) ? each.withOwner(asked) : each);
    Name target = target(query, spelled);
    if (target != null && !query.mayBlock()) {
      return new DnsAnswer.WouldBlock();
    }
    matched.inc();
    return target == null ? spelled : followed(query, spelled, target);
  }

  private static ReplyValidity always(CounterDataPoint matched) {
    return new ReplyValidity() {
      @Override
      public boolean holds(long nanos) {
        return true;
      }

      @Override
      public void repeated(long nanos) {
        matched.inc();
      }
    };
  }

  /// Where an alias at the end of the answer leads to; null when there is none to follow.
  private static @Nullable Name target(Query query, Reply reply) {
    boolean there =
        reply.answer().isEmpty()
            || query.type() == RecordType.CNAME
            || reply.answer().stream().anyMatch(each -> each.type() == query.type());
    ResourceRecord last = reply.answer().isEmpty() ? null : reply.answer().getLast();
    if (there
        || last == null
        || !(last.data() instanceof RecordData.Target(int type, Name target))
        || type != RecordType.CNAME) {
      return null;
    }
    return target;
  }

  private Reply followed(Query query, Reply reply, Name target) {
    Question question = new Question(target, query.type(), query.question().recordClass());
    if (instance.resolver().handle(query.nested(question)) instanceof Reply rest) {
      List<ResourceRecord> answer = new ArrayList<>(reply.answer());
      answer.addAll(rest.answer());
      return reply.withAnswer(answer).withValidity(null);
    }
    return reply.withValidity(null);
  }
}
