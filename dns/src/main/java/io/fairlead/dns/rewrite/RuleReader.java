package io.fairlead.dns.rewrite;

import io.fairlead.dns.plugin.InstanceContext;
import io.fairlead.dns.wire.Name;
import io.fairlead.dns.wire.Rcode;
import io.fairlead.dns.wire.RecordClass;
import io.fairlead.dns.wire.RecordType;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalInt;

/// Reads single rules. IllegalArgumentException says what is wrong.
final class RuleReader {
  private final InstanceContext instance;

  RuleReader(InstanceContext instance) {
    this.instance = instance;
  }

  RewriteRule read(String field, List<String> words) {
    return switch (field) {
      case "name" -> name(words);
      case "type" -> {
        need(words, 2, "FROM TO");
        yield SimpleRules.type(
            number("type", words.get(0), RecordType.parse(words.get(0))),
            number("type", words.get(1), RecordType.parse(words.get(1))));
      }
      case "class" -> {
        need(words, 2, "FROM TO");
        yield SimpleRules.recordClass(
            number("class", words.get(0), RecordClass.parse(words.get(0))),
            number("class", words.get(1), RecordClass.parse(words.get(1))));
      }
      case "ttl" -> {
        List<String> rest = withoutKind(words);
        need(rest, 2, "[MATCH] NAME SECONDS or LEAST-MOST");
        int[] bounds = bounds(rest.get(1));
        yield SimpleRules.ttl(match(words, rest), bounds[0], bounds[1]);
      }
      case "rcode" -> {
        List<String> rest = withoutKind(words);
        need(rest, 3, "[MATCH] NAME FROM TO");
        yield SimpleRules.rcode(
            match(words, rest),
            number("response code", rest.get(1), Rcode.parse(rest.get(1))),
            number("response code", rest.get(2), Rcode.parse(rest.get(2))));
      }
      case "cname" -> {
        List<String> rest = withoutKind(words);
        need(rest, 2, "[MATCH] FROM TO");
        String to = target(kind(words), rest.get(1));
        yield SimpleRules.cname(match(words, rest), to, instance::resolver);
      }
      case "edns0" -> new EdnsReader(instance).read(words);
      default -> throw new IllegalArgumentException("unknown field");
    };
  }

  private static void need(List<String> words, int count, String usage) {
    if (words.size() != count) {
      throw new IllegalArgumentException("wrong number of arguments; usage: " + usage);
    }
  }

  private static int number(String what, String text, OptionalInt number) {
    return number.orElseThrow(() -> new IllegalArgumentException("'" + text + "' is no " + what));
  }

  private static String kind(List<String> words) {
    return !words.isEmpty() && NameMatch.isKind(words.getFirst()) ? words.getFirst() : "exact";
  }

  private static List<String> withoutKind(List<String> words) {
    boolean has = !words.isEmpty() && NameMatch.isKind(words.getFirst());
    return has ? words.subList(1, words.size()) : words;
  }

  private static NameMatch match(List<String> words, List<String> rest) {
    return NameMatch.of(kind(words), rest.getFirst());
  }

  /// What a name becomes, in the form that fits how it was recognised.
  private static String target(String kind, String text) {
    return switch (kind) {
      case "prefix", "substring" -> text.toLowerCase(Locale.ROOT);
      default -> NameMatch.absolute(text);
    };
  }

  /// `15`, `30-300`, `30-`, `-300`.
  private static int[] bounds(String text) {
    try {
      int dash = text.indexOf('-');
      if (dash < 0) {
        int value = Integer.parseInt(text);
        return check(text, value, value);
      }
      String least = text.substring(0, dash);
      String most = text.substring(dash + 1);
      return check(
          text,
          least.isEmpty() ? 0 : Integer.parseInt(least),
          most.isEmpty() ? Integer.MAX_VALUE : Integer.parseInt(most));
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(
          "'" + text + "' is no time; write SECONDS or LEAST-MOST", e);
    }
  }

  private static int[] check(String text, int least, int most) {
    if (least < 0 || most < least) {
      throw new IllegalArgumentException("'" + text + "' is no range of seconds");
    }
    return new int[] {least, most};
  }

  private static RewriteRule name(List<String> words) {
    String kind = kind(words);
    List<String> rest = withoutKind(words);
    if (rest.size() < 2) {
      throw new IllegalArgumentException("wrong number of arguments; usage: [MATCH] FROM TO");
    }
    NameMatch match = NameMatch.of(kind, rest.get(0));
    String to = target(kind, rest.get(1));
    boolean auto = kind.equals("exact");
    List<NameRewriteRule.AnswerRule> answers = new ArrayList<>();
    if (auto && Name.parseOrNull(to) == null) {
      throw new IllegalArgumentException("'" + rest.get(1) + "' is no domain name");
    }
    for (int at = 2; at < rest.size(); ) {
      if (!rest.get(at).equals("answer")) {
        throw new IllegalArgumentException("expected 'answer', not '" + rest.get(at) + "'");
      }
      String what = at + 1 < rest.size() ? rest.get(at + 1) : "";
      if (what.equals("auto")) {
        if (kind.equals("regex") || kind.equals("substring")) {
          throw new IllegalArgumentException(
              "answer auto does not work with " + kind + "; write answer name FROM TO");
        }
        auto = true;
        at += 2;
      } else if ((what.equals("name") || what.equals("value")) && at + 3 < rest.size()) {
        answers.add(
            new NameRewriteRule.AnswerRule(
                what.equals("value"),
                NameMatch.of("regex", rest.get(at + 2)),
                NameMatch.absolute(rest.get(at + 3))));
        at += 4;
      } else {
        throw new IllegalArgumentException("answer is auto, name FROM TO or value FROM TO");
      }
    }
    return new NameRewriteRule(match, to, auto, answers);
  }
}
