package io.fairlead.dns.template;

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import io.fairlead.dns.corefile.DirectiveReader;
import io.fairlead.dns.corefile.DnsZones;
import io.fairlead.dns.corefile.Fallthrough;
import io.fairlead.dns.plugin.BlockContext;
import io.fairlead.dns.plugin.Directive;
import io.fairlead.dns.plugin.Plugin;
import io.fairlead.dns.plugin.PluginFactory;
import io.fairlead.dns.plugin.SetupException;
import io.fairlead.dns.wire.EdnsOption;
import io.fairlead.dns.wire.Rcode;
import io.fairlead.dns.wire.RecordClass;
import io.fairlead.dns.wire.RecordType;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;

/// Reads the blocks of `template`.
public final class TemplateFactory implements PluginFactory {
  private static final int MOST_ERROR = 65535;

  @Override
  public String name() {
    return "template";
  }

  @Override
  public Plugin create(List<Directive> lines, BlockContext context) throws SetupException {
    List<Template> templates = new ArrayList<>();
    for (Directive line : lines) {
      templates.add(template(line, context));
    }
    return new TemplatePlugin(templates, context.instance());
  }

  private static Template template(Directive line, BlockContext context) throws SetupException {
    DirectiveReader.count(line, 2, 1000, "template CLASS TYPE [ZONES...]");
    int recordClass =
        number(line, "class", line.arguments().get(0), RecordClass.parse(line.arguments().get(0)));
    int type =
        number(line, "type", line.arguments().get(1), RecordType.parse(line.arguments().get(1)));
    DnsZones zones =
        DirectiveReader.zones(
            line, line.arguments().subList(2, line.arguments().size()), context.block());
    List<Pattern> patterns = new ArrayList<>();
    List<TextTemplate> answer = new ArrayList<>();
    List<TextTemplate> additional = new ArrayList<>();
    List<TextTemplate> authority = new ArrayList<>();
    List<EdnsOption> options = new ArrayList<>();
    int rcode = Rcode.NOERROR;
    Fallthrough fallthrough = Fallthrough.NEVER;
    for (Directive option : line.block()) {
      switch (option.name()) {
        case "match" -> patterns(option, patterns);
        case "answer" -> records(option, answer);
        case "additional" -> records(option, additional);
        case "authority" -> records(option, authority);
        case "fallthrough" -> fallthrough = Fallthrough.read(option);
        case "rcode" -> {
          DirectiveReader.count(option, 1, 1, "rcode CODE");
          String text = option.arguments().getFirst();
          rcode = number(option, "response code", text, Rcode.parse(text));
        }
        case "ederror" -> {
          DirectiveReader.count(option, 1, 2, "ederror CODE [REASON]");
          int code = DirectiveReader.integer(option, option.arguments().getFirst(), 0, MOST_ERROR);
          String reason = option.arguments().size() > 1 ? option.arguments().get(1) : "";
          options.add(EdnsOption.error(code, reason));
        }
        case "upstream" -> {
          // Retired: aliases are always followed.
        }
        default ->
            throw DirectiveReader.unknown(
                line,
                option,
                "match",
                "answer",
                "additional",
                "authority",
                "rcode",
                "ederror",
                "fallthrough");
      }
    }
    return new Template(
        recordClass,
        type,
        zones,
        patterns,
        answer,
        additional,
        authority,
        rcode,
        options,
        fallthrough);
  }

  private static int number(Directive line, String what, String text, OptionalInt number)
      throws SetupException {
    if (number.isEmpty()) {
      throw line.problem("'" + text + "' is no " + what);
    }
    return number.getAsInt();
  }

  private static void patterns(Directive option, List<Pattern> patterns) throws SetupException {
    DirectiveReader.count(option, 1, 1000, "match REGEX...");
    for (String text : option.arguments()) {
      try {
        patterns.add(Pattern.compile(text));
      } catch (PatternSyntaxException e) {
        throw option.problem("'" + text + "' is no regular expression: " + e.getMessage());
      }
    }
  }

  private static void records(Directive option, List<TextTemplate> records) throws SetupException {
    DirectiveReader.count(option, 1, 1000, option.name() + " RECORD");
    for (String text : option.arguments()) {
      try {
        records.add(TextTemplate.of(text));
      } catch (TemplateException e) {
        throw option.problem("the template '" + text + "' cannot be used: " + e.getMessage());
      }
    }
  }
}
