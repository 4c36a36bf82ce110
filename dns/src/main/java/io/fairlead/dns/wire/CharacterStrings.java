package io.fairlead.dns.wire;

/// Texts of TXT records in master file form.
final class CharacterStrings {
  private CharacterStrings() {}

  static String quote(String text) {
    StringBuilder quoted = new StringBuilder("\"");
    for (int i = 0; i < text.length(); i++) {
      int c = text.charAt(i) & 0xff;
      if (c == '"' || c == '\\') {
        quoted.append('\\').append((char) c);
      } else if (c < 32 || c > 126) {
        quoted.append('\\').append((char) ('0' + c / 100));
        quoted.append((char) ('0' + c / 10 % 10)).append((char) ('0' + c % 10));
      } else {
        quoted.append((char) c);
      }
    }
    return quoted.append('"').toString();
  }
}
