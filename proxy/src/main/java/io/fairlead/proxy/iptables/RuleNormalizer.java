package io.fairlead.proxy.iptables;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// The normal form of a rule, in which what we write and what `iptables-save` prints of it are the
/// same text: options in a fixed order, addresses with prefix, marks as plain numbers,
/// probabilities as the kernel keeps them, defaults the tool adds left out.
final class RuleNormalizer {
  private static final Map<String, Integer> FIRST =
      Map.of("-s", 0, "-d", 1, "-i", 2, "-o", 3, "-p", 4);
  // What the tool prints although it is the default.
  private static final Set<String> DEFAULTS =
      Set.of(
          "--rsource",
          "--mask 255.255.255.255",
          "--mask ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff",
          "--reject-with icmp-port-unreachable",
          "--reject-with icmp6-port-unreachable");

  private record Option(String name, String text) {}

  private RuleNormalizer() {}

  /// The normal form of a rule written without `-A CHAIN`.
  static String normal(String rule) {
    return normal(words(rule));
  }

  static String normal(List<String> words) {
    String comment = "";
    String sign = "";
    List<Option> matches = new ArrayList<>();
    List<Option> target = new ArrayList<>();
    for (int i = 0; i < words.size(); ) {
      String word = words.get(i++);
      if (word.equals("!")) {
        sign = "! ";
        continue;
      }
      int end = i;
      while (end < words.size() && !isOption(words.get(end))) {
        end++;
      }
      String value = String.join(" ", words.subList(i, end));
      i = end;
      if (word.equals("--comment")) {
        comment = "\"" + value + "\" ";
      } else if (!word.equals("-m")) {
        String text = sign + option(word, value);
        if (!DEFAULTS.contains(text)) {
          (target.isEmpty() && !word.equals("-j") ? matches : target).add(new Option(word, text));
        }
        sign = "";
      }
    }
    matches.sort(
        Comparator.<Option>comparingInt(option -> FIRST.getOrDefault(option.name, 5))
            .thenComparing(Option::text));
    if (target.size() > 2) {
      target.subList(1, target.size()).sort(Comparator.comparing(Option::text));
    }
    StringBuilder text = new StringBuilder(comment);
    matches.forEach(option -> text.append(option.text).append(' '));
    target.forEach(option -> text.append(option.text).append(' '));
    return text.toString().stripTrailing();
  }

  private static boolean isOption(String word) {
    return word.equals("!")
        || (word.length() > 1 && word.charAt(0) == '-' && !Character.isDigit(word.charAt(1)));
  }

  private static String option(String name, String value) {
    return switch (name) {
      case "-s", "-d" -> name + " " + prefixed(value);
      case "--mark", "--set-xmark" -> name + " " + numbers(value);
      case "--or-mark" -> "--set-xmark " + number(value) + "/" + number(value);
      case "--xor-mark" -> "--set-xmark " + number(value) + "/0";
      case "--probability" -> name + " " + Probability.kernel(value);
      case "--ctstate" -> name + " " + sorted(value);
      default -> value.isEmpty() ? name : name + " " + value;
    };
  }

  private static String prefixed(String address) {
    if (address.indexOf('/') >= 0) {
      return address;
    }
    return address + (address.indexOf(':') >= 0 ? "/128" : "/32");
  }

  private static String numbers(String value) {
    int slash = value.indexOf('/');
    return slash < 0
        ? number(value)
        : number(value.substring(0, slash)) + "/" + number(value.substring(slash + 1));
  }

  private static String number(String value) {
    return value.startsWith("0x")
        ? new BigInteger(value.substring(2), 16).toString()
        : new BigInteger(value).toString();
  }

  private static String sorted(String states) {
    String[] each = states.split(",");
    Arrays.sort(each);
    return String.join(",", each);
  }

  /// The words of a line; blanks inside double quotes do not end a word.
  static List<String> words(String line) {
    List<String> words = new ArrayList<>();
    StringBuilder word = new StringBuilder();
    boolean quoted = false;
    boolean started = false;
    for (int i = 0; i < line.length(); i++) {
      char c = line.charAt(i);
      if (c == '"') {
        quoted = !quoted;
        started = true;
      } else if (c == '\\' && quoted && i + 1 < line.length()) {
        word.append(line.charAt(++i));
      } else if (c == ' ' && !quoted) {
        if (started) {
          words.add(word.toString());
          word.setLength(0);
          started = false;
        }
      } else {
        word.append(c);
        started = true;
      }
    }
    if (started) {
      words.add(word.toString());
    }
    return words;
  }
}
