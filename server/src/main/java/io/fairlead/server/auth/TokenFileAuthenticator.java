package io.fairlead.server.auth;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Static tokens from a file with one `token,user,uid,"group1,group2"` a line; the groups may be
/// left out. Read once, at start. Immutable.
///
/// Tokens are kept and looked up as hashes, so that neither memory nor timing shows them.
public final class TokenFileAuthenticator implements TokenAuthenticator {
  private static final Logger log = LoggerFactory.getLogger(TokenFileAuthenticator.class);
  private static final String FORM = "write token,user,uid,\"group1,group2\" on each line";
  private static final MessageDigest SHA_256 = sha256();

  // Replaced as a whole by [#reload].
  private volatile Map<String, UserInfo> users;

  private TokenFileAuthenticator(Map<String, UserInfo> users) {
    this.users = Map.copyOf(users);
  }

  /// Reads the file again. When something is wrong with it, the tokens read before stay good.
  ///
  /// @throws TokenFileException naming file and line when something is wrong
  public void reload(Path file) {
    users = load(file).users;
  }

  /// @throws TokenFileException naming file and line when something is wrong
  public static TokenFileAuthenticator load(Path file) {
    String text;
    try {
      text = Files.readString(file, StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new TokenFileException(
          "cannot read the token file " + file,
          e.getClass().getSimpleName() + ": " + e.getMessage(),
          "correct --token-auth-file, or make the file UTF-8 and readable by this user");
    }
    TokenFileAuthenticator loaded = parse(text, file.toString());
    if (loaded.users.isEmpty()) {
      log.atWarn().addKeyValue("file", file).log("the token file holds no token");
    }
    return loaded;
  }

  /// @param name what errors call the file
  static TokenFileAuthenticator parse(String text, String name) {
    Map<String, UserInfo> users = new HashMap<>();
    try {
      for (CsvReader.Row row : CsvReader.parse(text)) {
        add(row, name, users);
      }
    } catch (CsvReader.CsvException e) {
      throw wrongLine(name, e.line(), e.problem());
    }
    return new TokenFileAuthenticator(users);
  }

  private static void add(CsvReader.Row row, String name, Map<String, UserInfo> users) {
    List<String> fields = row.fields();
    if (fields.size() < 3) {
      throw wrongLine(name, row.line(), "it has " + fields.size() + " of at least 3 fields");
    }
    String token = fields.get(0).strip();
    String user = fields.get(1).strip();
    if (token.isEmpty()) {
      throw wrongLine(name, row.line(), "the token is empty");
    }
    if (user.isEmpty()) {
      throw wrongLine(name, row.line(), "the user is empty");
    }
    List<String> groups =
        fields.size() < 4
            ? List.of()
            : Arrays.stream(fields.get(3).split(","))
                .map(String::strip)
                .filter(group -> !group.isEmpty())
                .toList();
    UserInfo info = new UserInfo(user, fields.get(2).strip(), groups, Map.of());
    if (users.put(hash(token), info) != null) {
      throw wrongLine(name, row.line(), "its token stands on an earlier line too");
    }
  }

  @Override
  public Outcome authenticate(String token, List<String> audiences) {
    UserInfo user = users.get(hash(token));
    // A static token names no audience: it is good for every audience.
    return user == null ? new Outcome.NotMine() : new Outcome.Known(user, audiences);
  }

  private static String hash(String token) {
    try {
      // A copy takes a fraction of the time of asking the providers again.
      MessageDigest digest = (MessageDigest) SHA_256.clone();
      return HexFormat.of().formatHex(digest.digest(token.getBytes(StandardCharsets.UTF_8)));
    } catch (CloneNotSupportedException e) {
      throw new IllegalStateException("this Java runtime cannot copy SHA-256", e);
    }
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this Java runtime has no SHA-256", e);
    }
  }

  private static TokenFileException wrongLine(String name, int line, String why) {
    return new TokenFileException(
        "cannot use the token file " + name, "line " + line + ": " + why, FORM);
  }
}
