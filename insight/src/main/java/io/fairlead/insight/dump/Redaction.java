package io.fairlead.insight.dump;

import io.fairlead.api.json.Json;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// Takes what is secret out of documents and texts. Rather one word too many is lost than one
/// password kept.
///
/// Owned by one thread: the same address gets the same replacement for as long as it lives.
public final class Redaction {
  /// What stands in the place of what was taken out.
  public static final String MARK = "‹redacted›";

  private static final Pattern SECRET_NAME =
      Pattern.compile("(?i)pass|secret|token|key|credential|authorization|cookie|pwd");

  /// Names that a secret word is part of and that hold none; what is missing without them would be
  /// the point of the archive.
  private static final List<String> HARMLESS =
      List.of(
          "tokenExpirationSeconds",
          "automountServiceAccountToken",
          "topologyKey",
          "secretName",
          "matchLabelKeys",
          "hasKey");

  /// Headers of which all that follows is secret: `Authorization: Basic Ym9iOnB3`.
  private static final Pattern WHOLE_LINE = Pattern.compile("(?i)authorization$|cookie$");

  /// A signed token, wherever it stands.
  private static final Pattern JWT =
      Pattern.compile("(?<![\\w.\\-])eyJ[\\w\\-]++\\.[\\w\\-]++(?:\\.[\\w\\-]*+)?");

  private static final Pattern BEARER = Pattern.compile("(?i)(bearer\\s+)[a-z0-9._~+/=\\-]+");
  private static final Pattern PEM =
      Pattern.compile(
          "-----BEGIN [A-Z0-9 ]+-----.*?(-----END [A-Z0-9 ]+-----|\\z)", Pattern.DOTALL);
  private static final Pattern USER_IN_URL =
      Pattern.compile("(?<![a-zA-Z0-9+.\\-])([a-zA-Z0-9+.\\-]++://)[^\\s/@\"]++@");
  private static final Pattern IPV4 =
      Pattern.compile("(?<![0-9.])([0-9]{1,3}(?:\\.[0-9]{1,3}){3})(/[0-9]{1,2})?(?![0-9.])");
  private static final String GROUPS = "[0-9a-fA-F]{1,4}(?::[0-9a-fA-F]{1,4}){0,7}";

  /// All eight groups, or a gap: other words with colons are times and hardware addresses.
  private static final Pattern IPV6 =
      Pattern.compile(
          "(?<![0-9a-fA-F:.])((?:[0-9a-fA-F]{1,4}:){7}[0-9a-fA-F]{1,4}|(?:"
              + GROUPS
              + ")?::"
              + GROUPS
              + "|"
              + GROUPS
              + "::)(/[0-9]{1,3})?(?![0-9a-fA-F:])");

  private final boolean hashed;
  private final byte[] salt;
  private final Map<String, String> addresses = new HashMap<>();

  /// @param hashed whether addresses are replaced, too
  /// @param salt random, so that trying all addresses finds none
  public Redaction(boolean hashed, byte[] salt) {
    this.hashed = hashed;
    this.salt = salt.clone();
  }

  /// A text without what is secret in it.
  public String text(String text) {
    String clean = PEM.matcher(text).replaceAll(MARK);
    clean = USER_IN_URL.matcher(clean).replaceAll("$1" + MARK + "@");
    clean = BEARER.matcher(clean).replaceAll("$1" + MARK);
    clean = JWT.matcher(clean).replaceAll(MARK);
    clean =
        SecretValueScanner.clean(
            clean, Redaction::isSecret, name -> WHOLE_LINE.matcher(name).find());
    return hashed ? addresses(clean) : clean;
  }

  /// A copy of a document without what is secret in it.
  public JsonNode document(JsonNode document) {
    if (document instanceof ObjectNode object) {
      ObjectNode clean = Json.object();
      object
          .properties()
          .forEach(
              member -> {
                JsonNode value = member.getValue();
                boolean secret =
                    isSecret(member.getKey()) && (value.isString() || value.isContainer());
                if (secret) {
                  clean.put(member.getKey(), MARK);
                } else {
                  clean.set(member.getKey(), document(value));
                }
              });
      return clean;
    }
    if (document instanceof ArrayNode array) {
      ArrayNode clean = Json.array();
      array.forEach(each -> clean.add(document(each)));
      return clean;
    }
    return document.isString() ? Json.array().add(text(document.asString())).get(0) : document;
  }

  private static boolean isSecret(String name) {
    return SECRET_NAME.matcher(name).find()
        && HARMLESS.stream().noneMatch(name::equals)
        // Labels and annotations of Kubernetes itself name kinds and keys, not secrets.
        && !name.endsWith("kubernetes.io/service-name");
  }

  private String addresses(String text) {
    String clean = replaced(IPV4.matcher(text));
    return replaced(IPV6.matcher(clean));
  }

  private String replaced(Matcher matcher) {
    return matcher.replaceAll(
        found ->
            Matcher.quoteReplacement(
                addresses.computeIfAbsent(found.group(1), this::name)
                    + (found.group(2) == null ? "" : found.group(2))));
  }

  private String name(String address) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      digest.update(salt);
      byte[] hash = digest.digest(address.getBytes(StandardCharsets.UTF_8));
      return "ip-" + HexFormat.of().formatHex(hash, 0, 3);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}
