package io.fairlead.server.auth;

import io.fairlead.api.status.ApiException;
import io.fairlead.server.auth.Authorizer.Attributes;
import java.net.URLDecoder;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SequencedMap;

/// Acting as another user, by `Impersonate-*` headers (kubectl's `--as`). Each part of the other
/// identity must be allowed by a rule with the verb `impersonate`.
public final class Impersonation {
  private static final String USER = "impersonate-user";
  private static final String GROUP = "impersonate-group";
  private static final String UID = "impersonate-uid";
  private static final String EXTRA = "impersonate-extra-";
  private static final String AUTHENTICATION = "authentication.k8s.io";
  private static final String UNAUTHENTICATED = "system:unauthenticated";

  private Impersonation() {}

  /// Whether a request with a header of that name asks to act as another user.
  public static boolean isHeader(String name) {
    return name.regionMatches(true, 0, "impersonate-", 0, "impersonate-".length());
  }

  /// The user to go on as: `user` itself when no header asks for another.
  ///
  /// @param headers at least those for which [#isHeader] holds, in any case of letters
  /// @throws ApiException 403 when it is not allowed, 400 when there is no `Impersonate-User`
  public static UserInfo apply(
      UserInfo user, Map<String, List<String>> headers, Authorizer authorizer) {
    String name = "";
    String uid = "";
    List<String> groups = new ArrayList<>();
    SequencedMap<String, List<String>> extra = new LinkedHashMap<>();
    for (Map.Entry<String, List<String>> header : headers.entrySet()) {
      String key = header.getKey().toLowerCase(Locale.ROOT);
      List<String> values = header.getValue().stream().map(Impersonation::decoded).toList();
      if (key.equals(USER) && !values.isEmpty()) {
        name = values.getFirst();
      } else if (key.equals(UID) && !values.isEmpty()) {
        uid = values.getFirst();
      } else if (key.equals(GROUP)) {
        groups.addAll(values);
      } else if (key.startsWith(EXTRA)) {
        extra.put(unescape(key.substring(EXTRA.length())), values);
      }
    }
    if (name.isEmpty()) {
      if (uid.isEmpty() && groups.isEmpty() && extra.isEmpty()) {
        return user;
      }
      throw ApiException.badRequest(
          "Impersonate-Group, Impersonate-Uid and Impersonate-Extra need Impersonate-User");
    }
    UserInfo other = new UserInfo(name, uid, groups, extra);
    checkAll(user, other, authorizer);
    return new UserInfo(name, uid, completed(name, groups), extra);
  }

  private static void checkAll(UserInfo user, UserInfo other, Authorizer authorizer) {
    List<String> account = ServiceAccountUser.parts(other.name());
    if (account.isEmpty()) {
      check(authorizer, user, "", "users", "", "", other.name());
    } else {
      check(authorizer, user, "", "serviceaccounts", "", account.get(0), account.get(1));
    }
    for (String group : other.groups()) {
      check(authorizer, user, "", "groups", "", "", group);
    }
    other
        .extra()
        .forEach(
            (key, values) ->
                values.forEach(
                    value ->
                        check(authorizer, user, AUTHENTICATION, "userextras", key, "", value)));
    if (!other.uid().isEmpty()) {
      check(authorizer, user, AUTHENTICATION, "uids", "", "", other.uid());
    }
  }

  private static void check(
      Authorizer authorizer,
      UserInfo user,
      String group,
      String resource,
      String subresource,
      String namespace,
      String name) {
    Forbidden.check(
        authorizer,
        new Attributes(
            user, "impersonate", group, "v1", resource, subresource, namespace, name, ""));
  }

  /// Adds the groups that the other user would have had after logging in.
  private static List<String> completed(String name, List<String> asked) {
    List<String> groups = new ArrayList<>(asked);
    List<String> account = ServiceAccountUser.parts(name);
    if (asked.isEmpty() && !account.isEmpty()) {
      groups.addAll(ServiceAccountUser.groups(account.get(0)));
    }
    String implied =
        name.equals(UserInfo.ANONYMOUS.name())
            ? UNAUTHENTICATED
            : RequestAuthenticator.AUTHENTICATED;
    if (!groups.contains(implied) && !groups.contains(UNAUTHENTICATED)) {
      groups.add(implied);
    }
    return groups;
  }

  /// A value as its sender meant it: clients write names in UTF-8, and the server reads each byte
  /// of a header as a character.
  private static String decoded(String value) {
    try {
      return StandardCharsets.UTF_8
          .newDecoder()
          .decode(ByteBuffer.wrap(value.getBytes(StandardCharsets.ISO_8859_1)))
          .toString();
    } catch (CharacterCodingException _) {
      return value;
    }
  }

  private static String unescape(String key) {
    try {
      return URLDecoder.decode(key.replace("+", "%2B"), StandardCharsets.UTF_8);
    } catch (IllegalArgumentException e) {
      return key;
    }
  }
}
