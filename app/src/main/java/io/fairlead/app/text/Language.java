package io.fairlead.app.text;

import java.util.List;
import java.util.Map;

/// The languages explanations and help are written in.
public enum Language {
  EN("messages.properties"),
  ZH_CN("messages_zh_CN.properties");

  private static final List<String> VARIABLES =
      List.of("FAIRLEAD_LANG", "LC_ALL", "LC_MESSAGES", "LANG");

  private final String resource;

  Language(String resource) {
    this.resource = resource;
  }

  String resource() {
    return resource;
  }

  /// The language the environment asks for: the first variable that is set decides, and everything
  /// that is not simplified Chinese is English.
  public static Language of(Map<String, String> environment) {
    for (String variable : VARIABLES) {
      String value = environment.getOrDefault(variable, "");
      if (!value.isEmpty()) {
        String tag = value.replace('_', '-');
        return tag.regionMatches(true, 0, "zh-CN", 0, 5)
                || tag.regionMatches(true, 0, "zh-Hans", 0, 7)
                || tag.equalsIgnoreCase("zh")
            ? ZH_CN
            : EN;
      }
    }
    return EN;
  }
}
